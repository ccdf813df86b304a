import type { Decision } from '@svc/core/access/decision.ts'
import type { FoundApproval } from '@svc/core/access/facts.ts'
import type { ApprovalDimension } from '@svc/core/access/findings.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { ApprovalState, NewApproval } from '../../store/recorder/recorder.ts'
import {
  type ApprovalRequest,
  buildApprovalRecord,
  type RecordedApproval,
} from '../approvals/buildApprovalRecord.ts'
import { generateHex } from '../generateHex.ts'
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

/** Who asks what of whom, and when. */
export type Asked = {
  agent: VerifiableAgent
  endpoint: VerifiableEndpoint
  request: VerificationRequest
  now: number
}

/** The request as the owner approves it: what has to be the same when it is sent again. */
function toApprovalRequest({ agent, endpoint, request }: Asked): ApprovalRequest {
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
  return sha256Hex(canonicaliseJson(JSON.parse(JSON.stringify(toApprovalRequest(asked)))))
}

/** The request as the owner is shown it: beside what is approved, what makes it understood. */
function redactRequest(asked: Asked): ApprovalRequest {
  const { agent, endpoint } = asked
  return {
    ...toApprovalRequest(asked),
    agentName: agent.name,
    counterpartyType: endpoint.counterpartyType,
    endpointTier: endpoint.facts.tier,
  }
}

/** An approval that was handed in with a request, as its records tell of it. */
function toRecordedApproval(asked: Asked, state: ApprovalState): RecordedApproval {
  const { agent, endpoint } = asked
  return {
    id: state.id,
    agentId: agent.svcId,
    ownerId: agent.ownerId,
    counterpartyOwnerId: endpoint.ownerId,
    endpointId: endpoint.id,
    requestHash: state.requestHash,
    request: redactRequest(asked),
    dimensions: state.dimensions,
    expiresAt: state.expiresAt,
  }
}

/** What of a stored approval counts for this decision: the same request, not expired, not used. */
export function assessApproval(state: ApprovalState | null, now: number): FoundApproval | null {
  if (state === null || state.expiresAt <= now) return null
  const { status } = state
  if (status !== 'approved' && status !== 'pending' && status !== 'denied') return null
  return {
    dimensions: state.dimensions as readonly ApprovalDimension[],
    approved: status === 'approved',
    denied: status === 'denied',
    // Before this was stored, every approval was given by a passkey assertion made for it.
    isFreshAssertion: state.hasFreshAssertion ?? true,
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
export function createApproval(
  settings: VerificationSettings,
  principal: ApiKeyPrincipal,
  asked: Asked,
  decision: Decision,
  attemptId: string,
): NewApproval {
  return {
    id: generateUuidV4(settings.randomBytes(16)),
    agentId: asked.agent.svcId,
    ownerId: asked.agent.ownerId,
    counterpartyOwnerId: asked.endpoint.ownerId,
    endpointId: asked.endpoint.id,
    apiKeyId: principal.keyId,
    attemptId,
    requestHash: requestHashOf(asked),
    request: JSON.stringify(redactRequest(asked)),
    dimensions: decision.approvalDimensions,
    needsFreshAssertion: decision.needsFreshAssertion,
    challengeSalt: generateHex(settings.randomBytes, 16),
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

type ApprovalMoment = {
  asked: Asked
  decision: Decision
  /** What was found under the attempt id. */
  found: ApprovalState | null
  /** What the owner is asked now. */
  stored: NewApproval | null
}

/**
 * What a verification does to approvals, as records of its own transaction: one is used up, asked for, or replaced by
 * another that asks for more.
 */
export function buildApprovalRecords(
  { randomBytes }: { randomBytes: (length: number) => Uint8Array },
  { asked, decision, found, stored }: ApprovalMoment,
): NewAuditRecord[] {
  const { now } = asked
  const records: NewAuditRecord[] = []
  if (found !== null && decision.consumesApproval) {
    const used = toRecordedApproval(asked, found)
    records.push(buildApprovalRecord(used, { eventType: 'approval.consumed', now }, randomBytes))
  }
  if (stored === null) return records
  if (found?.status === 'pending') {
    const eventData = { cause: found.expiresAt <= now ? 'window_passed' : 'replaced' }
    const replaced = toRecordedApproval(asked, found)
    records.push(
      buildApprovalRecord(replaced, { eventType: 'approval.expired', eventData, now }, randomBytes),
    )
  }
  const request = JSON.parse(stored.request)
  const outcome = { eventType: 'approval.requested', now } as const
  return [...records, buildApprovalRecord({ ...stored, request }, outcome, randomBytes)]
}
