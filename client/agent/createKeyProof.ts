import { KEY_PROOF_SECONDS_MAX, KEY_PROOF_TYPE, type KeyProofClaims } from '@svc/core/signing/keyProof.ts'
import type { AgentSigner } from './agentSigner.ts'
import { signJws } from './signJws.ts'

/** To which agent a key is added, and where. */
export type KeyAddition = {
  /** `SVC-…`, or before an adoption the name of its token, `eip155:…`. */
  agentId: string
  /** The URL of the service, its `PUBLIC_URL`. */
  service: string
  /** Epoch milliseconds; default the clock. */
  now?: (() => number) | undefined
}

/**
 * Creates the proof that a key can be added to an agent by whoever holds it: `proof` of `POST /api/agents/:id/keys`, or one
 * of `keyProofs` when an agent is registered or adopted. It is good for five minutes, for this agent only.
 *
 * @throws Error for an Ethereum account, which needs no adding.
 * Source: docs/agents.md.
 */
export async function createKeyProof(
  signer: AgentSigner,
  { agentId, service, now = Date.now }: KeyAddition,
): Promise<string> {
  const iat = Math.floor(now() / 1000)
  const aud = service.replace(/\/$/, '')
  const claims: KeyProofClaims = { iss: agentId, aud, iat, exp: iat + KEY_PROOF_SECONDS_MAX }
  return signJws(signer, KEY_PROOF_TYPE, claims)
}
