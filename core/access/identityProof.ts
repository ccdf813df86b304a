import type { ProofCause } from './failureCauses.ts'

/**
 * What a request shows of the agent's identity, weakest first.
 *
 * `none`: the agent was only named. `challenge`: its own server confirmed this request. `token`: the caller holds an agent
 * token for this counterparty. `signature`: a key of the agent signed the request, or the facts that it commits to.
 */
export const IDENTITY_PROOFS = ['none', 'challenge', 'token', 'signature'] as const

export type IdentityProof = (typeof IDENTITY_PROOFS)[number]

/** The result of checking what a request presented as proof. */
export type PresentedProof = {
  /** The strongest valid proof, apart from a runtime challenge. */
  grade: Exclude<IdentityProof, 'challenge'>
  /**
   * Something was presented that does not hold: altered, expired, used before, for another counterparty or with other facts.
   */
  isWrong: boolean
  /** Why it is wrong; absent if that may not be told, and from decisions that were recorded before causes. */
  cause?: ProofCause | undefined
  /** Says in such a decision what the cause `not_reported` says now. */
  isIncomplete?: true | undefined
}

/** The proof of a request that presents none. */
export const NO_PROOF: PresentedProof = { grade: 'none', isWrong: false }

/** The grade of a request, including a challenge that it passed. A request with a wrong proof proves nothing. */
export function determineIdentityProof({
  proof = NO_PROOF,
  challenge,
}: {
  proof?: PresentedProof | undefined
  challenge: 'passed' | 'failed' | 'withheld' | 'not_issued'
}): IdentityProof {
  if (proof.isWrong) return 'none'
  return proof.grade === 'none' && challenge === 'passed' ? 'challenge' : proof.grade
}

/** Whether a grade is at least as strong as the required one. */
export function isProofSufficient(shown: IdentityProof, required: IdentityProof): boolean {
  return IDENTITY_PROOFS.indexOf(shown) >= IDENTITY_PROOFS.indexOf(required)
}

/** The stricter of two requirements; an undefined one requires nothing. */
export function pickStricterProof(a: IdentityProof | undefined, b: IdentityProof | undefined): IdentityProof {
  const [left, right] = [a ?? 'none', b ?? 'none']
  return isProofSufficient(left, right) ? left : right
}
