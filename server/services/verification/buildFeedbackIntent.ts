import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { SessionDecision } from '../../store/approvals/sessionDecisionStore.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import { intentKey } from '../relayer/intents.ts'

/** The first tag of published feedback, which names its kind. */
const TAG = 'svc-decision'

/** The decisions that judge the agent; `challenged` and `deferred` are neither yes nor no. */
const VALUES: Partial<Record<SessionDecision['decision'], number>> = { granted: 1, denied: 0 }

/**
 * Builds the intent to publish a counterparty's decision as feedback about the agent; null if the decision judges nothing
 * or comes from the agent's own owner.
 *
 * The feedback names neither the counterparty nor its reason. Its hash is the leaf of the verification's audit record and
 * its URI that of the proof, so that anyone who is shown the record can match the two. Its gas counts for the account that
 * decided.
 *
 * Source: EIP-8004 "Reputation Registry".
 */
export function buildFeedbackIntent(
  record: Pick<AuditRecord, 'agentId' | 'ownerId' | 'counterpartyOwnerId' | 'recordId' | 'entry'>,
  { sessionId, decision, recordedAt }: SessionDecision,
  { publicUrl, accountId }: { publicUrl: string; accountId: string },
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
    accountId,
    now: recordedAt,
  }
}
