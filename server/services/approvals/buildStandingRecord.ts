import type { StoredStanding } from '../../store/approvals/standingApprovalStore.ts'
import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'

type StandingChange = {
  standing: StoredStanding
  agentName: string | undefined
  change: 'standing_approval_added' | 'standing_approval_removed'
  userId: string
  /** The approval whose assertion covers the terms; its own record has the assertion. */
  approvalId?: string
  now: number
}

/**
 * Builds the record of a standing approval that was added or removed, for the agent's owner only: the counterparty must not
 * learn how much it may ask for.
 */
export function buildStandingRecord(
  { standing, agentName, change, userId, approvalId, now }: StandingChange,
  randomBytes: (length: number) => Uint8Array,
): NewAuditRecord {
  const { id, agentId, ownerId, endpointId, counterpartyOwnerId, ...terms } = standing
  return createAuditRecord(
    {
      eventType: 'agent.approval_rules_changed',
      ownerId,
      counterpartyOwnerId: null,
      agentId,
      endpointId: null,
      eventData: {
        agentName,
        dimensions: ['spend'],
        change,
        standingApprovalId: id,
        amount: terms.amount,
        used: terms.used,
        currency: terms.currency || undefined,
        expiresAt: new Date(terms.expiresAt).toISOString(),
      },
      inputs: { changedBy: userId, approvalId, endpointId, counterpartyOwnerId, standing: { id, ...terms } },
    },
    now,
    randomBytes,
  )
}
