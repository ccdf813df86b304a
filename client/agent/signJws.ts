import { encodeBase64Url } from '@svc/core/bytes.ts'
import { bytesOf } from '../http/bytes.ts'
import type { AgentSigner } from './agentSigner.ts'

const JWS_ALGORITHMS = { ed25519: 'EdDSA', 'ecdsa-p256-sha256': 'ES256' } as const

/**
 * Signs claims with a key of an agent, as a compact JWS of a type.
 *
 * @throws Error for an Ethereum account. Source: RFC 7515.
 */
export async function signJws(signer: AgentSigner, typ: string, claims: object): Promise<string> {
  const { keyid: kid, algorithm } = signer
  if (algorithm === undefined) throw new Error(`${typ} needs an Ed25519 or P-256 key`)
  const header = { typ, alg: JWS_ALGORITHMS[algorithm], kid }
  const text = [header, claims].map((part) => encodeBase64Url(bytesOf(JSON.stringify(part)))).join('.')
  return `${text}.${encodeBase64Url(await signer.sign(text))}`
}
