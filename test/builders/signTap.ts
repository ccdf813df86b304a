import type { createAgentKey } from './createAgentKey.ts'
import { signText as signWith } from './signText.ts'

export type SignedAs = {
  created: number
  expires: number
  url: string
  components: string[]
  keyid: string
  keyName: string
  alg: string
  tag: string
  /** Between the parameters. */
  separator: string
  signText(text: string): Uint8Array
}

/**
 * Signs a request as the sample agent of the Trusted Agent Protocol does, with its spaces and its `keyId`; returns what a
 * counterparty reports of it.
 *
 * Source: visa/trusted-agent-protocol `tap-agent/agent_app.py`.
 */
export function signTap(
  { privateJwk }: Pick<ReturnType<typeof createAgentKey>, 'privateJwk'>,
  { created, expires, ...varied }: Pick<SignedAs, 'created' | 'expires'> & Partial<SignedAs>,
) {
  const { url = 'https://shop.example/checkout', separator = '; ', tag = 'agent-payer-auth' } = varied
  const {
    components = ['@authority', '@path'],
    keyid = 'primary',
    keyName = 'keyId',
    alg = 'ed25519',
  } = varied
  const { signText = (text) => signWith({ privateJwk }, text) } = varied
  const { host, pathname } = new URL(url)
  const values: Record<string, string> = { '@authority': host, '@path': pathname }
  const params = [
    `(${components.map((name) => `"${name}"`).join(' ')})`,
    ...[`created=${created}`, `expires=${expires}`, `${keyName}="${keyid}"`],
    ...[`alg="${alg}"`, 'nonce="0b5e8d9c-6c1f-4a53-9a80-3f1c8f0a7f11"', `tag="${tag}"`],
  ].join(separator)
  const lines = components.map((name) => `"${name}": ${values[name] ?? ''}`)
  const text = [...lines, `"@signature-params": ${params}`].join('\n')
  return {
    signatureInput: `sig2=${params}`,
    signature: `sig2=:${Buffer.from(signText(text)).toString('base64')}:`,
    method: 'GET',
    targetUri: url,
  }
}
