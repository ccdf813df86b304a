import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { ReceivedRequest } from './readSignedRequest.ts'

const TAGS = ['agent-browser-auth', 'agent-payer-auth']
/** A signature is good for eight minutes at most, and its nonce is remembered as long. */
const LIFE_SECONDS_MAX = 480

/**
 * Creates a merchant that recognises agents by the Trusted Agent Protocol.
 *
 * Written from the protocol's merchant specification, with its own reading of `Signature-Input`: it checks the tag, the
 * coverage of `@authority` and `@path`, the times, the nonce, the key and the signature, in that order.
 *
 * @param keys Ed25519 public keys by `keyid`.
 */
export function createTapMerchant(keys: Readonly<Record<string, JsonWebKey>>) {
  const seen = new Set<string>()
  return {
    /** Returns `recognised`, or what is wrong with the request. `now` is in Unix seconds. */
    check({ method, url, headers }: ReceivedRequest, now: number): string {
      const [, label, params = '', names = '', rest = ''] =
        /^([a-z0-9_-]+)=(\(([^)]*)\)(;.*))$/.exec(headers['signature-input'] ?? '') ?? []
      if (label === undefined) return 'no signature input'
      const components = [...names.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
      const attributes = Object.fromEntries(
        [...rest.matchAll(/;([a-z]+)=(?:"([^"]*)"|(\d+))/g)].map(([, name = '', text, digits]) => [
          name,
          text ?? digits,
        ]),
      )
      const { created, expires, nonce = '', keyid = '', tag = '', alg } = attributes
      if (!TAGS.includes(tag)) return 'another tag'
      if (!components.includes('@authority') || !components.includes('@path')) return 'not bound to the page'
      if (!(Number(created) <= now && now < Number(expires))) return 'untimely'
      if (Number(expires) - Number(created) > LIFE_SECONDS_MAX) return 'good for too long'
      if (nonce === '' || seen.has(nonce)) return 'seen before'
      seen.add(nonce)
      const jwk = keys[keyid]
      if (jwk === undefined || alg?.toLowerCase() !== 'ed25519') return 'another key'
      const { host, pathname, search } = new URL(url)
      const derived: Record<string, string> = {
        ...{ '@authority': host, '@path': pathname, '@query': search || '?', '@method': method },
      }
      const lines = components.map((name) => `"${name}": ${derived[name] ?? headers[name]}`)
      const base = [...lines, `"@signature-params": ${params}`].join('\n')
      const [, signature = ''] = new RegExp(`^${label}=:([^:]+):$`).exec(headers.signature ?? '') ?? []
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const isSigned = verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))
      return isSigned ? 'recognised' : 'forged'
    },
  }
}
