import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { SessionDecision } from '../../store/approvals/sessionDecisionStore.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import { intentKey } from '../relayer/intents.ts'

/** What the first tag of published feedback says it is. */
const TAG = 'svc-decision'

/** Decisions that judge the agent; to challenge or to defer is neither yes nor no. */
const VALUES: Partial<Record<SessionDecision['decision'], number>> = { granted: 1, denied: 0 }

/**
 * The order to publish a counterparty's decision as feedback about the agent, or null for one that judges nothing and for
 * one of the agent's own owner.
 *
 * It names nobody: neither the counterparty nor its reason. The hash is the leaf of the verification's audit record, and the
 * address is that of its proof, so that who is shown the record can tie the feedback to it.
 *
 * Source: onchain.md "Reputation"; EIP-8004.
 */
export function buildFeedbackIntent(
  record: Pick<AuditRecord, 'agentId' | 'ownerId' | 'counterpartyOwnerId' | 'recordId' | 'entry'>,
  { sessionId, decision, recordedAt }: SessionDecision,
  publicUrl: string,
) {
  const value = VALUES[decision]
  if (value === undefined || record.agentId === null) return null
  if (record.ownerId === record.counterpartyOwnerId) return null
  return {
    idempotencyKey: intentKey.feedback(sessionId),
    kind: 'reputation.feedback',
    payload: {
      svcId: record.agentId,
      value,
      tag1: TAG,
      tag2: decision,
      feedbackURI: `${publicUrl}/api/audit/records/${record.recordId}/proof`,
      feedbackHash: encodeHex(hashLeaf(record.entry)),
    },
    now: recordedAt,
  }
}
