import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './holderClaim.ts'

/** A proof is made for its challenge, so its time may be off by no more than a challenge lives. */
const AGE_MAX_MS = 10 * 60_000

/** @throws CredentialFault bad_proof for claims that are for another agent, another challenge or another time. */
export function checkStatement(
  payload: Record<string, unknown>,
  { audience, nonce, now }: HolderClaim,
): void {
  const { aud, iat, exp } = payload
  const isNow = typeof iat === 'number' && Math.abs(iat * 1000 - now) <= AGE_MAX_MS
  const isOver = exp !== undefined && !(typeof exp === 'number' && exp * 1000 > now)
  if (aud !== audience || payload.nonce !== nonce || !isNow || isOver) throw new CredentialFault('bad_proof')
}
