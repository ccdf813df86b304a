import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { SessionDecision } from '../../store/approvals/sessionDecisionStore.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import { intentKey } from '../relayer/intents.ts'

/** The first tag of published feedback, which names its kind. */
const TAG = 'svc-decision'

/** The decisions that judge the agent; `challenged` and `deferred` are neither yes nor no. */
const VALUES: Partial<Record<SessionDecision['decision'], number>> = { granted: 1, denied: 0 }

/** Length of the periods, from 1970 on, in each of which an account publishes a decision about an agent once. */
const PERIOD_MS = 30 * 86_400_000

/**
 * Builds the intent to publish a counterparty's decision as feedback about the agent; null if the decision judges nothing,
 * if the request did not prove the agent, or if somebody is behind both the agent and the endpoint.
 *
 * The feedback names neither the counterparty nor its reason, nor an address at which they could be read: its hash is the
 * leaf of the verification's audit record, so that only those who are shown the record can match the two. An account has one
 * key for each agent, decision and period, so that nobody counts more by deciding more often.
 *
 * @param payer For whom its gas counts: the person for whom the key counts that decided, again if that is a stranger, and
 * the network from which they did.
 * Source: EIP-8004 "Reputation Registry"; docs/decisions/0013.
 */
export function buildFeedbackIntent(
  record: Pick<AuditRecord, 'agentId' | 'entry' | 'eventData'>,
  { decision, recordedAt }: Pick<SessionDecision, 'decision' | 'recordedAt'>,
  payer: { accountId: string; strangerId: string | null; network: string },
) {
  const { accountId } = payer
  const { agentId: svcId } = record
  const value = VALUES[decision]
  if (value === undefined || svcId === null || !countsForAgent(record)) return null
  const period = Math.floor(recordedAt / PERIOD_MS)
  return {
    idempotencyKey: intentKey.feedback({ svcId, accountId, decision, period }),
    kind: 'reputation.feedback',
    payload: {
      svcId,
      value,
      tag1: TAG,
      tag2: decision,
      feedbackURI: '',
      feedbackHash: encodeHex(hashLeaf(record.entry)),
    },
    ...payer,
    now: recordedAt,
  }
}

/** Whether the request proved its agent, and nobody is behind both sides. Earlier versions did not record it. */
function countsForAgent({ eventData }: Pick<AuditRecord, 'eventData'>): boolean {
  const { behaviourSource } = JSON.parse(eventData) as { behaviourSource?: string | null }
  return typeof behaviourSource === 'string'
}
