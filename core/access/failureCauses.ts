import type { Dimension } from './findings.ts'

/**
 * Why a proof of identity that was presented does not hold.
 *
 * Each says something about what was presented, or about keys that are public, and nothing about the mandate of the agent.
 * Source: docs/decisions/0158.
 */
export const PROOF_CAUSES = [
  'not_reported',
  'malformed',
  'not_covered',
  'not_yet_valid',
  'long_lived',
  'expired',
  'replayed',
  'unknown_key',
  'revoked_key',
  'holder_missing',
  'wrong_agent',
  'wrong_endpoint',
  'altered',
  'contradicted',
] as const

export type ProofCause = (typeof PROOF_CAUSES)[number]

/** Every cause that a failure can name, whatever its dimension. */
export const FAILURE_CAUSES = [
  ...PROOF_CAUSES,
  'unknown_agent',
  'level_too_low',
  'not_stated',
  'withheld',
  'denied_by_owner',
  'not_asked',
] as const

export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** The causes of a denial, by the dimension that failed for them; none is known of the other dimensions. */
export type FailureCauses = Readonly<Partial<Record<Dimension, FailureCause>>>
