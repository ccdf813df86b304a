import { createPrivateKey, sign } from 'node:crypto'
import type { createAgentKey } from './createAgentKey.ts'

/** A request that the sample agent signs; times are Unix seconds. */
type SampleRequest = {
  url: string
  created: number
  expires?: number
  keyId?: string
  alg?: string
  nonce?: string
  tag?: string
  /** Values of the covered components, in their order. */
  covered?: Readonly<Record<string, string>>
  /** Rewrites the parameters before they are signed and sent. */
  respell?: (params: string) => string
}

/**
 * Signs a request as the sample agent of Visa's Trusted Agent Protocol does, and returns the two headers.
 *
 * It writes a space before each parameter and `keyId` for the key, calls path and query together the path, covers nothing
 * else, and signs for eight minutes. The signed text has the parameters as they stand in the header.
 *
 * Source: `tap-agent/agent_app.py` of visa/trusted-agent-protocol.
 */
export function signAsTapSample(key: ReturnType<typeof createAgentKey>, request: SampleRequest) {
  const { host, pathname, search } = new URL(request.url)
  const { created, expires = created + 480, keyId = key.kid, alg = 'ed25519' } = request
  const { nonce = crypto.randomUUID(), tag = 'agent-browser-auth', respell = (params) => params } = request
  const covered = request.covered ?? { '@authority': host, '@path': pathname + search }
  const names = Object.keys(covered).map((name) => `"${name}"`)
  const params = respell(
    `(${names.join(' ')}); created=${created}; expires=${expires}; keyId="${keyId}"; alg="${alg}"; nonce="${nonce}"; tag="${tag}"`,
  )
  const lines = Object.entries(covered).map(([name, value]) => `"${name}": ${value}`)
  const base = [...lines, `"@signature-params": ${params}`].join('\n')
  const privateKey = createPrivateKey({ key: key.privateJwk, format: 'jwk' })
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64')
  return { signature: `sig2=:${signature}:`, signatureInput: `sig2=${params}` }
}
