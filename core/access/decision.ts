import type { FailureCause } from './failureCauses.ts'
import type { ApprovalDimension, Dimension } from './findings.ts'

/** The recommendations that a counterparty acts on. Spec: Verification response. */
export const RECOMMENDATIONS = ['grant', 'deny', 'step_up_required', 'audit'] as const

export type Recommendation = (typeof RECOMMENDATIONS)[number]

/**
 * How much access a caller has, least first; `internal` is for a caller of the same owner. Spec: Client library contract.
 */
export const ACCESS_LEVELS = ['none', 'restricted', 'read-only', 'standard', 'full', 'internal'] as const

export type AccessLevel = (typeof ACCESS_LEVELS)[number]

/** Whether an access level is at least as high as another. */
export function reachesLevel(level: AccessLevel, min: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(min)
}

/** A failed dimension and what to do next, without saying what is allowed. */
export type AccessFailure = {
  readonly dimension: Dimension
  /** Why it failed, where that says nothing of a boundary; absent if it does, or is not known. */
  readonly cause?: FailureCause
  readonly message: string
  readonly guidance: string
  /** Where the documentation explains the dimension; only in responses of a service. */
  readonly docsUrl?: string
}

/** The `access` member of a response. */
export type Access = {
  readonly allowed: boolean
  readonly accessLevel: AccessLevel
  readonly reason: string
  readonly failures?: readonly AccessFailure[]
}

/** The outcome of a verification of a registered agent, before it is recorded. */
export type Decision = {
  readonly recommendation: Recommendation
  readonly access: Access
  readonly recommendationReasons: readonly string[]
  /** The dimensions that the owner has to approve, or has approved. */
  readonly approvalDimensions: readonly ApprovalDimension[]
  /** The approval must be a passkey assertion made for it. */
  readonly needsFreshAssertion: boolean
  /**
   * The grant uses up the approval of its attempt, in the same transaction. It does so also if nothing asks for an approval
   * any more, because an attempt passes once.
   */
  readonly consumesApproval: boolean
  /** The grant depends on a standing approval, which must count it in the same transaction. */
  readonly usesStandingApproval: boolean
  /** The agent exceeded its own mandate or failed its challenge, which lowers its behaviour score. */
  readonly countsAgainstAgent: boolean
  /** Length of the session in seconds; 0 unless granted. */
  readonly sessionSeconds: number
}

/**
 * The version of the decision rules. Every record has it, because a replay is meaningful only under the original rules.
 *
 * Increase it with every change that may decide the same inputs differently, and keep what the former version decided.
 */
export const DECISION_VERSION = 7

/** The versions that can be replayed; `docs/decisions/0040` says what changed with each. */
export type DecisionVersion = 1 | 2 | 3 | 4 | 5 | 6 | typeof DECISION_VERSION
