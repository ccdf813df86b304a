import { agentKeySchema } from '@svc/core/signing/agentKeySchema.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { saveFile } from './saveFile.ts'

/** A key pair that was made in this page. */
export type NewAgentKeyPair = {
  /** The public half, which the service gets. */
  publicKey: AgentKey
  kid: string
  /** The private half as a JWK, which leaves the page only as a file. */
  privateJwk: JsonWebKey
  privateKey: CryptoKey
}

const ED25519 = { name: 'Ed25519' }
const P256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** Makes a key for an agent: Ed25519, or P-256 in a browser that does not have it. @throws DOMException over plain HTTP. */
export async function createAgentKey(): Promise<NewAgentKeyPair> {
  const { publicKey, privateKey } = await generate(ED25519).catch(() => generate(P256))
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const shown = agentKeySchema.parse({ kty, crv, x, ...(y === undefined ? {} : { y }) })
  const privateJwk = await crypto.subtle.exportKey('jwk', privateKey)
  return { publicKey: shown, kid: computeKeyThumbprint(shown), privateJwk, privateKey }
}

async function generate(algorithm: { name: string }): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
}

/** The name of the file that the private half is saved as. */
export const KEY_FILE = 'agent.jwk'

/** Saves the private half as a file, in the form that `openAgentKey` of the client reads. */
export function saveAgentKey({ privateJwk: { kty, crv, x, y, d } }: NewAgentKeyPair): void {
  const text = `${JSON.stringify({ kty, crv, x, y, d })}\n`
  saveFile(new Blob([text], { type: 'application/json' }), KEY_FILE)
}
