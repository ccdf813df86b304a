import type { Advisory, ProvisionalAgent } from '@svc/core/access/decideAnonymous.ts'
import type { Access, Recommendation } from '@svc/core/access/decision.ts'

/** What verification tells about a registered agent. Source: Spec: Agent. */
export type VerifiedAgent = {
  svcId: string
  name: string
  trustScore: number
  agentStatus: string
  blockchainStatus: string
  runtimeChallengeSupported: boolean
}

/** The owner is asked; poll `pollUrl`, then send the same request with `attemptId`. Source: Spec: Step-up approval object. */
export type StepUpApproval = {
  approvalId: string
  pollUrl: string
  approvalUrl: string
  expiresAt: string
  status: string
  attemptId: string
}

/**
 * The service's answer about one request; unknown members are to be ignored.
 *
 * Gate on `recommendation`, never on a limit. `sessionId` stands in answers about registered agents,
 * `correlationId` in those about anonymous callers, never both.
 *
 * Source: Spec: Verification response.
 */
export type VerificationAnswer = {
  success: true
  /** The last two only for the agent's owner. */
  access: Access & { restrictions?: Record<string, unknown>; appliedPolicy?: Record<string, unknown> }
  recommendation: Recommendation
  recommendationReasons: string[]
  /** In answers about anonymous callers the provisional agent of a recognised platform: a claim with its evidence. */
  agent?: VerifiedAgent | ProvisionalAgent
  sessionId?: string
  correlationId?: string
  advisory?: Advisory
  /** Present when the policy for unverified callers is `audit`: to be set on the response. */
  warningHeader?: { name: string; value: string }
  tokenGuidance?: Record<string, unknown>
  runtimeChallenge?: Record<string, unknown>
  stepUpApproval?: StepUpApproval
  /** Names the record in the audit log. */
  auditRecordId?: string
}
