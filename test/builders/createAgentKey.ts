import { generateKeyPairSync } from 'node:crypto'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'

/** Creates a key pair that an agent could have: the public half as a JWK, its thumbprint, and the private half as a JWK. */
export function createAgentKey(crv: AgentKey['crv'] = 'Ed25519') {
  const { publicKey, privateKey } =
    crv === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: crv })
  const jwk = publicKey.export({ format: 'jwk' }) as AgentKey
  return { jwk, kid: computeKeyThumbprint(jwk), privateJwk: privateKey.export({ format: 'jwk' }) }
}
