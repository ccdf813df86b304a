import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { ReceivedRequest } from './readSignedRequest.ts'

/**
 * What the merchant follows where the two differ: the specification of the protocol, or the proxy of Visa's sample. The
 * sample knows the key by `keyId`, takes path and query together for the path, and builds the signed text from authority,
 * path, host and content type alone, whatever the signature covers. It checks no tag.
 */
type TapReading = 'specification' | 'sample'

const KEY_NAMES = { specification: 'keyid', sample: 'keyId' } as const
const TAGS = ['agent-browser-auth', 'agent-payer-auth']
const SKEW_SECONDS = 60

/**
 * Creates a merchant that recognises agents by the Trusted Agent Protocol, with the checks of Visa's sample in their order.
 *
 * RSA is left out, because agents have no such keys.
 *
 * Source: `cdn-proxy/server.js` of visa/trusted-agent-protocol; Visa Trusted Agent Protocol, Merchant Specifications.
 *
 * @param keys Ed25519 public keys by key ID.
 */
export function createTapMerchant(keys: Readonly<Record<string, JsonWebKey>>, reading: TapReading) {
  const seen = new Set<string>()
  return {
    /** Returns `recognised`, or what is wrong with the request. `now` is in Unix seconds. */
    check(request: ReceivedRequest, now: number): string {
      const input = request.headers['signature-input'] ?? ''
      const [, list, rest = ''] = /sig2=\(([^)]+)\);\s*(.+)/.exec(input) ?? []
      if (list === undefined) return 'no signature input'
      const names = list.split(/\s+/).map((name) => name.replace(/['"]/g, ''))
      const attributes = readAttributes(rest)
      const keyId = attributes[KEY_NAMES[reading]] ?? ''
      if (!/^[a-zA-Z0-9._-]{1,100}$/.test(keyId)) return 'no usable key id'
      const jwk = keys[keyId]
      if (jwk === undefined) return 'unknown key'
      if (reading === 'specification' && !TAGS.includes(attributes.tag ?? '')) return 'another tag'
      if (Number(attributes.created) > now + SKEW_SECONDS) return 'from the future'
      if (Number(attributes.expires) < now) return 'expired'
      const { nonce = '' } = attributes
      if (nonce === '') return 'no nonce'
      if (seen.has(nonce)) return 'seen before'
      seen.add(nonce)
      const [, signature] = /sig2=:([^:]+):/.exec(request.headers.signature ?? '') ?? []
      if (signature === undefined) return 'no signature'
      if (attributes.alg?.toLowerCase() !== 'ed25519') return 'unsupported algorithm'
      const base = [
        ...writeLines(names, request, reading),
        `"@signature-params": ${input.replace(/^sig2=/, '')}`,
      ]
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const isSigned = verify(null, Buffer.from(base.join('\n')), key, Buffer.from(signature, 'base64'))
      return isSigned ? 'recognised' : 'forged'
    },
  }
}

function readAttributes(text: string): Record<string, string | undefined> {
  const found = [...text.matchAll(/(\w+)=("[^"]*"|\d+)/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value.replace(/^"|"$/g, '')]))
}

function writeLines(
  names: readonly string[],
  { method, url, headers }: ReceivedRequest,
  reading: TapReading,
): string[] {
  const { host, pathname, search } = new URL(url)
  const inSample: Record<string, string> = {
    ...{ '@authority': host, '@path': pathname + search, host },
    'content-type': headers['content-type'] ?? 'application/json',
  }
  const inSpecification: Record<string, string> = {
    ...{ '@authority': host, '@path': pathname, '@query': search || '?', '@method': method },
  }
  return names.flatMap((name) => {
    if (reading === 'specification') return [`"${name}": ${inSpecification[name] ?? headers[name]}`]
    return inSample[name] === undefined ? [] : [`"${name}": ${inSample[name]}`]
  })
}
