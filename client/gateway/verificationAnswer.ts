import type { Advisory, ProvisionalAgent } from '@svc/core/access/decideAnonymous.ts'
import type { Access, Recommendation } from '@svc/core/access/decision.ts'

/** A registered agent, as counterparties see it. Source: Spec: Agent. */
export type VerifiedAgent = {
  svcId: string
  name: string
  trustScore: number
  agentStatus: string
  blockchainStatus: string
  runtimeChallengeSupported: boolean
}

/** The approval asked of the owner: poll `pollUrl`, then resend the request with `attemptId`. Source: Spec: Step-up approval object. */
export type StepUpApproval = {
  approvalId: string
  pollUrl: string
  approvalUrl: string
  expiresAt: string
  status: string
  attemptId: string
}

/**
 * The service's answer about one request; ignore unknown members.
 *
 * Gate on `recommendation`, never on a limit. Answers about registered agents have a `sessionId`, those about anonymous
 * callers a `correlationId`, and none has both.
 *
 * Source: Spec: Verification response.
 */
export type VerificationAnswer = {
  success: true
  /** Only the agent's owner gets `restrictions` and `appliedPolicy`. */
  access: Access & { restrictions?: Record<string, unknown>; appliedPolicy?: Record<string, unknown> }
  recommendation: Recommendation
  recommendationReasons: string[]
  /** In an answer about an anonymous caller: the provisional agent of a recognised platform, a claim with its evidence. */
  agent?: VerifiedAgent | ProvisionalAgent
  sessionId?: string
  correlationId?: string
  advisory?: Advisory
  /** A header to set on the response; present if the policy for unverified callers is `audit`. */
  warningHeader?: { name: string; value: string }
  tokenGuidance?: Record<string, unknown>
  runtimeChallenge?: Record<string, unknown>
  stepUpApproval?: StepUpApproval
  /** Identifies the record in the audit log. */
  auditRecordId?: string
}
