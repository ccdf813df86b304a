import type { CheckedProof } from '../../../external/proofs/createProofVerifier.ts'
import type { ApprovalState, EarlierUse, ProofUse } from '../../../store/recorder/recorder.ts'
import { proofIdOf } from './proofIdOf.ts'

/** An agent token, and where it is presented: at an endpoint, or to its owner if that is not stored. */
type PresentedToken = { token: CheckedProof['token']; place: string }

type EarlierUses = ReadonlyMap<string, EarlierUse>

/**
 * The identifier under which it is stored that a request was held with a token, if it presents one and names its attempt. A
 * token may be presented any number of times, so this uses nothing up; it is for the attempt, the place and, by what is
 * stored with it, the approval.
 */
export function tokenUseIdOf(
  { token, place }: PresentedToken,
  attemptId: string | undefined,
): string | undefined {
  if (token === null || attemptId === undefined) return undefined
  const key = `token ${token.tokenId} for ${attemptId} at ${place}`
  return proofIdOf({ key, expiresAt: token.expiresAt })
}

/** Whether a token has expired, and no approval that can still be used was asked for with it in this attempt. */
export function isLateToken(
  presented: PresentedToken,
  {
    attemptId,
    heldFor,
    earlierUses,
  }: {
    attemptId: string | undefined
    heldFor: Pick<ApprovalState, 'id'> | null
    earlierUses: EarlierUses
  },
): boolean {
  if (presented.token === null || !presented.token.hasExpired) return false
  const id = tokenUseIdOf(presented, attemptId)
  const heldWith = id === undefined ? undefined : earlierUses.get(id)
  return heldWith === undefined || heldFor === null || heldWith.reusableFor !== heldFor.id
}

/** What to store of the token of a held request, for as long as the owner may take. */
export function buildTokenUses(
  presented: PresentedToken | null,
  earlierUses: EarlierUses,
  held: { approvalId: string; attemptId: string; expiresAt: number } | null,
): (ProofUse & EarlierUse)[] {
  if (presented === null || held === null) return []
  const proof = tokenUseIdOf(presented, held.attemptId)
  if (proof === undefined || earlierUses.get(proof)?.reusableFor === held.approvalId) return []
  return [{ proof, expiresAt: held.expiresAt, reusableFor: held.approvalId }]
}
