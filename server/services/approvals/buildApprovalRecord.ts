import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'

/** An approval as its audit records describe it. */
export type RecordedApproval = {
  id: string
  agentId: string
  ownerId: string
  /** Null for approvals older than the column. */
  counterpartyOwnerId: string | null
  endpointId: string | null
  requestHash: string
  request: ApprovalRequest
  dimensions: readonly string[]
  expiresAt: number
}

/** A held request as its owner sees it; stored with the approval. */
export type ApprovalRequest = {
  agentId: string
  agentName?: string | undefined
  /** `SVCE-` identifier, or the internal id; null if the endpoint is not stored. */
  endpointId: string | null
  endpointName?: string | null | undefined
  counterpartyUrl?: string | null | undefined
  counterpartyType?: string | null | undefined
  endpointTier?: string | undefined
  /** What the request proved that was held first; absent from approvals older than proofs. */
  identityProof?: IdentityProof | undefined
  category?: string | undefined
  action?: string | undefined
  resource?: string | undefined
  resourceType?: string | undefined
  jurisdiction?: string | undefined
  transactionValue?: number | undefined
  currency?: string | undefined
  /** Seconds. */
  sessionDuration?: number | undefined
  certifications?: string[] | undefined
  subAgent?: { purpose?: string | undefined; depth: number } | undefined
  /** SHA-256 of a tool and its arguments. */
  callHash?: string | undefined
}

type ApprovalOutcome = {
  eventType:
    | 'approval.requested'
    | 'approval.approved'
    | 'approval.denied'
    | 'approval.expired'
    | 'approval.consumed'
  /** Members of the event besides those of every approval. */
  eventData?: object
  /** Evidence of the outcome, such as the assertion; stored privately and committed to by its hash. */
  evidence?: object
  now: number
}

/**
 * Builds the record of a change of an approval for the owners of agent and endpoint; views mask it for each.
 *
 * Source: `Spec: Activity event`.
 */
export function buildApprovalRecord(
  approval: RecordedApproval,
  outcome: ApprovalOutcome,
  randomBytes: (length: number) => Uint8Array,
): NewAuditRecord {
  const { request } = approval
  return createAuditRecord(
    {
      eventType: outcome.eventType,
      ownerId: approval.ownerId,
      counterpartyOwnerId: approval.counterpartyOwnerId,
      agentId: approval.agentId,
      endpointId: approval.endpointId,
      dimensions: approval.dimensions,
      subject: { approvalId: approval.id },
      eventData: {
        approvalId: approval.id,
        dimensions: approval.dimensions,
        expiresAt: new Date(approval.expiresAt).toISOString(),
        agentName: request.agentName,
        purpose: request.category,
        action: request.action,
        resource: request.resource,
        jurisdiction: request.jurisdiction,
        transactionValue: request.transactionValue,
        currency: request.currency,
        svceId: request.endpointId?.startsWith('SVCE-') ? request.endpointId : undefined,
        endpointName: request.endpointName ?? undefined,
        endpointTier: request.endpointTier,
        counterpartyType: request.counterpartyType ?? undefined,
        counterpartyUrl: request.counterpartyUrl ?? undefined,
        ...outcome.eventData,
      },
      inputs: { approvalId: approval.id, requestHash: approval.requestHash, ...outcome.evidence },
    },
    outcome.now,
    randomBytes,
  )
}
