import { NO_PROOF, type PresentedProof } from '@svc/core/access/identityProof.ts'
import type { CheckedProof } from '../../external/proofs/createProofVerifier.ts'
import type { ApprovalState, EarlierUse, ProofUse } from '../../store/recorder/recorder.ts'
import { keyRevocationOf } from './keyRevocationOf.ts'
import { proofIdOf } from './proofIdOf.ts'

type Settling = {
  agentId: string
  /** Null if the request presents nothing. */
  checked: CheckedProof | null
  attemptId: string | undefined
  /** The approval of this attempt; expired and consumed ones are null. */
  heldFor: ApprovalState | null
  earlierUses: ReadonlyMap<string, EarlierUse>
}

/**
 * Settles what a request proves, now that the earlier uses of its proofs are known: each is good once, and only while its
 * key is not revoked.
 *
 * A request that was held for approval may come again with the same proof, which then may also have expired meanwhile: a
 * gateway that waits for the owner has no other.
 */
export function settleProof({ agentId, checked, attemptId, heldFor, earlierUses }: Settling): PresentedProof {
  if (checked === null) return NO_PROOF
  if (checked.fault !== null) return { grade: 'none', isWrong: true }
  const isWrong = checked.uses.some(({ hasExpired, ...use }) => {
    if (earlierUses.has(revocationOf(agentId, use))) return true
    const earlier = earlierUses.get(proofIdOf(use))
    if (earlier === undefined) return hasExpired
    return earlier.attemptId === null || earlier.attemptId !== attemptId || heldFor === null
  })
  return isWrong ? { grade: 'none', isWrong } : { grade: checked.grade, isWrong }
}

/** What the recorder has to look up before the decision; undefined if the request presents nothing that is good once. */
export function listProofIds({
  agentId,
  checked,
}: Pick<Settling, 'agentId' | 'checked'>): string[] | undefined {
  if (checked === null || checked.uses.length === 0) return undefined
  return checked.uses.flatMap((use) => [proofIdOf(use), revocationOf(agentId, use)])
}

function revocationOf(agentId: string, { key }: { key: string }): string {
  return keyRevocationOf({ agentId, kid: key.slice(0, key.indexOf(' ')) })
}

/** The uses to store: of a held request, with its attempt and for as long as the owner may take. */
export function buildProofUses(
  { checked, earlierUses }: Pick<Settling, 'checked' | 'earlierUses'>,
  held: { attemptId: string; expiresAt: number } | null,
): (ProofUse & EarlierUse)[] {
  return (checked?.uses ?? [])
    .map((use) => ({ proof: proofIdOf(use), expiresAt: use.expiresAt }))
    .filter(({ proof }) => !earlierUses.has(proof))
    .map(({ proof, expiresAt }) => ({
      proof,
      expiresAt: Math.max(expiresAt, held?.expiresAt ?? 0),
      attemptId: held?.attemptId ?? null,
    }))
}
