import type { Decision } from '@svc/core/access/decision.ts'
import type { ApprovalDimension } from '@svc/core/access/dimensions.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { FoundApproval } from '@svc/core/access/verifiedInput.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { uuidV4 } from '@svc/core/ids/uuidV4.ts'
import { canonicalJson } from '@svc/core/json/canonicalJson.ts'
import type { ApprovalState, NewApproval } from '../../store/recorder.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'
import type { VerificationSettings } from './verificationSettings.ts'

/** The `stepUpApproval` member of an answer. Source: `Spec: Step-up approval object`. */
export type StepUpApproval = {
  approvalId: string
  pollUrl: string
  approvalUrl: string
  expiresAt: string
  status: 'pending'
  /** Sent again with the same request, it lets an approval be used. */
  attemptId: string
}

type Asked = {
  agent: VerifiableAgent
  endpoint: VerifiableEndpoint
  request: VerificationRequest
  now: number
}

/** The request as the owner will see and approve it. */
function approvedRequest({ agent, endpoint, request }: Asked): object {
  return {
    agentId: agent.svcId,
    endpointId: endpoint.svceId ?? endpoint.id,
    counterpartyUrl: endpoint.url,
    category: request.category,
    action: request.action,
    resource: request.resource,
    jurisdiction: request.jurisdiction,
    transactionValue: request.transactionValue,
    currency: request.currency,
    subAgent: request.subAgent,
  }
}

/**
 * SHA-256 of the canonical request an approval is bound to; the dimensions are kept beside it, because an approval
 * may cover more of them than a later sending needs.
 *
 * Source: verification.md "Approval".
 */
export function requestHashOf(asked: Asked): string {
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify(approvedRequest(asked)))))
}

/** What of a stored approval counts for this decision: the same request, not expired, not used. */
export function foundApproval(state: ApprovalState | null, now: number): FoundApproval | null {
  if (state === null || state.expiresAt <= now) return null
  if (state.status !== 'approved' && state.status !== 'pending') return null
  return {
    dimensions: state.dimensions as readonly ApprovalDimension[],
    approved: state.status === 'approved',
    // An owner approves only by a passkey assertion over this one approval.
    isFreshAssertion: true,
  }
}

/** True when the pending approval already asks the owner everything this decision asks. */
export function coversPending(
  state: ApprovalState | null,
  decision: Decision,
  now: number,
): state is ApprovalState {
  return (
    state !== null &&
    state.status === 'pending' &&
    state.expiresAt > now &&
    decision.approvalDimensions.every((dimension) => state.dimensions.includes(dimension))
  )
}

/** A new approval for the owner to decide, alive for the configured window. */
export function newApproval(
  settings: VerificationSettings,
  principal: ApiKeyPrincipal,
  asked: Asked,
  decision: Decision,
  attemptId: string,
): NewApproval {
  return {
    id: uuidV4(settings.randomBytes(16)),
    agentId: asked.agent.svcId,
    ownerId: asked.agent.ownerId,
    endpointId: asked.endpoint.id,
    apiKeyId: principal.keyId,
    attemptId,
    requestHash: requestHashOf(asked),
    request: JSON.stringify(approvedRequest(asked)),
    dimensions: decision.approvalDimensions,
    needsFreshAssertion: decision.needsFreshAssertion,
    createdAt: asked.now,
    expiresAt: asked.now + settings.approvalMs,
  }
}

/** The approval as the caller gets it. */
export function stepUpApprovalOf(
  settings: VerificationSettings,
  approval: { id: string; expiresAt: number },
  attemptId: string,
): StepUpApproval {
  return {
    approvalId: approval.id,
    pollUrl: `/api/step-up-approvals/poll/${approval.id}`,
    approvalUrl: `${settings.appUrl}/activity/pending/${approval.id}`,
    expiresAt: new Date(approval.expiresAt).toISOString(),
    status: 'pending',
    attemptId,
  }
}
