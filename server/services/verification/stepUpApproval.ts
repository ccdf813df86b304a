import type { Decision } from '@svc/core/access/decision.ts'
import type { FoundApproval } from '@svc/core/access/facts.ts'
import type { ApprovalDimension } from '@svc/core/access/findings.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import type { StepUpApproval } from '@svc/core/contract/verification.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { ApprovalState, NewApproval } from '../../store/recorder/recorder.ts'
import {
  type ApprovalRequest,
  buildApprovalRecord,
  type RecordedApproval,
} from '../approvals/buildApprovalRecord.ts'
import { generateHex } from '../generateHex.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { VerifiableAgent } from './parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'
import type { VerificationSettings } from './verificationSettings.ts'

/** The parties, the request, what it proves about its sender, and its time. */
type RequestContext = {
  agent: VerifiableAgent
  endpoint: VerifiableEndpoint
  request: VerificationRequest
  identityProof: IdentityProof
  now: number
}

type RequestToApprove = Pick<RequestContext, 'agent' | 'endpoint' | 'request'>

/** The request that the owner approves: all that must be the same when it is sent again. */
function toApprovalRequest({ agent, endpoint, request }: RequestToApprove): ApprovalRequest {
  return {
    agentId: agent.svcId,
    endpointId: endpoint.svceId ?? endpoint.id,
    counterpartyUrl: endpoint.url,
    category: request.category,
    action: request.action,
    resource: request.resource,
    resourceType: request.resourceType,
    jurisdiction: request.jurisdiction,
    transactionValue: request.transactionValue,
    currency: request.currency,
    sessionDuration: request.sessionDuration,
    certifications: request.certifications && [...request.certifications],
    subAgent: request.subAgent,
    callHash: request.callHash,
  }
}

/**
 * SHA-256 of the canonical request to which an approval is bound. The dimensions are stored separately, because an approval
 * may cover more of them than a later request needs.
 */
function requestHashOf(toApprove: RequestToApprove): string {
  return sha256Hex(canonicaliseJson(JSON.parse(JSON.stringify(toApprovalRequest(toApprove)))))
}

/**
 * Whether this is the request to which an approval is bound.
 *
 * Claiming a discovered endpoint gives it an identifier but keeps its id, so an approval from before the claim, which is
 * bound to the id, stays good for the same request. One from after it is bound to the identifier, as the former release
 * expects.
 */
export function isRequestOf(
  { requestHash }: Pick<ApprovalState, 'requestHash'>,
  toApprove: RequestToApprove,
): boolean {
  if (requestHash === requestHashOf(toApprove)) return true
  const { endpoint } = toApprove
  return (
    endpoint.svceId !== null &&
    requestHash === requestHashOf({ ...toApprove, endpoint: { ...endpoint, svceId: null } })
  )
}

/** The request as the owner sees it, with the details that explain it. */
function describeRequest(context: RequestContext): ApprovalRequest {
  const { agent, endpoint, identityProof } = context
  return {
    ...toApprovalRequest(context),
    identityProof,
    agentName: agent.name,
    endpointName: endpoint.name,
    counterpartyType: endpoint.counterpartyType,
    endpointTier: endpoint.facts.tier,
  }
}

/** An approval that a request presented, as audit records describe it. */
function toRecordedApproval(context: RequestContext, state: ApprovalState): RecordedApproval {
  const { agent, endpoint } = context
  return {
    id: state.id,
    agentId: agent.svcId,
    ownerId: agent.ownerId,
    counterpartyOwnerId: endpoint.ownerId,
    endpointId: endpoint.id,
    requestHash: state.requestHash,
    request: describeRequest(context),
    dimensions: state.dimensions,
    expiresAt: state.expiresAt,
  }
}

/** The part of a stored approval that applies to this decision; null if it expired or was consumed. */
export function assessApproval(state: ApprovalState | null, now: number): FoundApproval | null {
  if (state === null || state.expiresAt <= now) return null
  const { status } = state
  if (status !== 'approved' && status !== 'pending' && status !== 'denied') return null
  return {
    dimensions: state.dimensions as readonly ApprovalDimension[],
    approved: status === 'approved',
    denied: status === 'denied',
    // Approvals from before this column always had a passkey assertion of their own.
    isFreshAssertion: state.hasFreshAssertion ?? true,
    minIdentityProof: state.identityProof,
  }
}

/** Whether the pending approval already covers everything that this decision asks of the owner. */
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

type CreateApprovalInput = {
  context: RequestContext
  decision: Decision
  attemptId: string
}

/** Creates an approval for the owner to decide within the configured time. */
export function createApproval(
  settings: VerificationSettings,
  { principal, counterpartyId }: { principal: ApiKeyPrincipal; counterpartyId: string },
  { context, decision, attemptId }: CreateApprovalInput,
): NewApproval {
  return {
    id: generateUuidV4(settings.randomBytes(16)),
    agentId: context.agent.svcId,
    ownerId: context.agent.ownerId,
    counterpartyOwnerId: context.endpoint.ownerId,
    counterpartyAccountId: counterpartyId,
    endpointId: context.endpoint.id,
    apiKeyId: principal.keyId,
    attemptId,
    requestHash: requestHashOf(context),
    request: JSON.stringify(describeRequest(context)),
    dimensions: decision.approvalDimensions,
    needsFreshAssertion: decision.needsFreshAssertion,
    challengeSalt: generateHex(settings.randomBytes, 16),
    createdAt: context.now,
    expiresAt: context.now + settings.approvalMs,
  }
}

/** The approval as the caller sees it. */
export function stepUpApprovalOf(
  settings: VerificationSettings,
  approval: { id: string; expiresAt: number },
  attemptId: string,
): StepUpApproval {
  return {
    approvalId: approval.id,
    pollUrl: `/api/step-up-approvals/poll/${approval.id}`,
    approvalUrl: `${settings.appUrl}/activity/pending/${approval.id}`,
    expiresAt: toIsoTime(approval.expiresAt),
    status: 'pending',
    attemptId,
  }
}

type ApprovalChange = {
  context: RequestContext
  /** Whether the request uses the approval up. */
  isUsed: boolean
  /** The stored approval with the attempt id. */
  found: ApprovalState | null
  /** The new approval that the owner is asked for. */
  stored: NewApproval | null
}

/**
 * Builds the records of what a verification does to approvals: it consumes one, requests one, or replaces one with another
 * that covers more.
 */
export function buildApprovalRecords(
  { randomBytes }: { randomBytes: (length: number) => Uint8Array },
  { context, isUsed, found, stored }: ApprovalChange,
): NewAuditRecord[] {
  const { now } = context
  const records: NewAuditRecord[] = []
  if (found !== null && isUsed) {
    const used = toRecordedApproval(context, found)
    records.push(buildApprovalRecord(used, { eventType: 'approval.consumed', now }, randomBytes))
  }
  if (stored === null) return records
  if (found?.status === 'pending') {
    const eventData = { cause: found.expiresAt <= now ? 'window_passed' : 'replaced' }
    const replaced = toRecordedApproval(context, found)
    records.push(
      buildApprovalRecord(replaced, { eventType: 'approval.expired', eventData, now }, randomBytes),
    )
  }
  const request = JSON.parse(stored.request)
  const outcome = { eventType: 'approval.requested', now } as const
  return [...records, buildApprovalRecord({ ...stored, request }, outcome, randomBytes)]
}
