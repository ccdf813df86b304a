import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './parseProofToken.ts'

/** A proof answers a challenge, so its time may differ from ours by at most a challenge's lifetime. */
const AGE_MAX_MS = 10 * 60_000

/** @throws CredentialFault bad_proof for a statement about another agent, another challenge or another time. */
export function checkStatement(
  payload: Record<string, unknown>,
  { audience, nonce, now }: HolderClaim,
): void {
  const { aud, iat, exp, nbf } = payload
  const isNow = typeof iat === 'number' && Math.abs(iat * 1000 - now) <= AGE_MAX_MS
  const isExpired = exp !== undefined && !(typeof exp === 'number' && exp * 1000 > now)
  const isEarly = nbf !== undefined && !(typeof nbf === 'number' && nbf * 1000 <= now + AGE_MAX_MS)
  const isInForce = isNow && !isEarly && !isExpired
  if (aud !== audience || payload.nonce !== nonce || !isInForce) throw new CredentialFault('bad_proof')
}
