import type { ApprovalDimension, Dimension } from './findings.ts'

/** What a counterparty gates on. Spec: Verification response. */
export type Recommendation = 'grant' | 'deny' | 'step_up_required' | 'audit'

/** How far a caller gets; `internal` is a caller that shares the endpoint's owner. Spec: Client library contract. */
export type AccessLevel = 'none' | 'restricted' | 'read-only' | 'standard' | 'full' | 'internal'

/** One failed dimension: that it failed and what to do next, never what is allowed. */
export type AccessFailure = {
  readonly dimension: Dimension
  readonly message: string
  readonly guidance: string
}

/** The `access` member of an answer. */
export type Access = {
  readonly allowed: boolean
  readonly accessLevel: AccessLevel
  readonly reason: string
  readonly failures?: readonly AccessFailure[]
}

/** The outcome of a verification of a registered agent, before anything is recorded. */
export type Decision = {
  readonly recommendation: Recommendation
  readonly access: Access
  readonly recommendationReasons: readonly string[]
  /** The dimensions on which the owner has to be asked, or was and approved. */
  readonly approvalDimensions: readonly ApprovalDimension[]
  /** The approval must be a passkey assertion made for it. */
  readonly needsFreshAssertion: boolean
  /** The grant rests on the approval that was handed in; it has to be consumed in the same transaction. */
  readonly consumesApproval: boolean
  /** The agent left its own mandate or failed its challenge, which lowers its behaviour score. */
  readonly countsAgainstAgent: boolean
  /** Length of the session in seconds; 0 unless granted. */
  readonly sessionSeconds: number
}

/**
 * Version of the rules by which decisions are made; it stands in every record, because a replay is only meaningful
 * under the rules of then.
 *
 * To be raised with every change after which the same inputs may be decided differently.
 * Source: verification.md "Decisions are reproducible".
 */
export const DECISION_VERSION = 1
