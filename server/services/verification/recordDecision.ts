import type { Recommendation } from '@svc/core/access/decision.ts'
import { networkOf } from '@svc/core/url/ipAddress.ts'
import { apiError } from '../../errors.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { SessionDecision, SessionDecisionStore } from '../../store/approvals/sessionDecisionStore.ts'
import type { AuditRecord, AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { buildFeedbackIntent } from './buildFeedbackIntent.ts'
import { buildSessionRecord } from './buildSessionRecord.ts'
import { type FindSessionDeps, findSession } from './findSession.ts'

export type RecordDecisionDeps = FindSessionDeps & {
  records: Pick<AuditRecordStore, 'bySessionId' | 'append'>
  decisions: SessionDecisionStore
  outbox: Pick<OutboxStore, 'add' | 'addAgain' | 'byKey'>
  payers: Pick<OwnerFactsStore, 'payerBehind'>
  transaction: Db['transaction']
  /** Whether decisions are published as feedback in the reputation registry. */
  publishes: boolean
  randomBytes: (length: number) => Uint8Array
}

type Trx = Parameters<OutboxStore['add']>[0]

/** The recorded decision of a session. */
export type RecordedDecision = SessionDecision

export type RecordDecisionInput = {
  principal: ApiKeyPrincipal
  sessionId: string
  decision: SessionDecision['decision']
  reason: string | null
  tokenIssued: boolean | null
  /** Address from which the decision was sent. */
  ip: string
  now: number
}

/**
 * Records the counterparty's decision about a verified session, once, as an event for both parties. Repeating the same
 * decision returns the same answer.
 *
 * @throws ApiError NOT_FOUND for an unknown session or one of another account; as `requireWriter`; DECISION_CONFLICT if
 * another decision, reason or token was recorded, or for a granted decision or a token in a session that was not granted.
 * Source: `Spec: POST /api/agents/verify-access/{sessionId}/decision`.
 */
export async function recordDecision(
  deps: RecordDecisionDeps,
  input: RecordDecisionInput,
): Promise<RecordedDecision> {
  const record = await findSession(deps, input)
  requireWriter(input.principal, record.counterpartyOwnerId)
  if (contradicts(record, input)) throw apiError('DECISION_CONFLICT')
  const { sessionId, decision, reason, tokenIssued, now } = input
  const stored = await deps.transaction(async (trx) => {
    const offered = { sessionId, decision, reason, tokenIssued, recordedAt: now }
    const { standing, isNew } = await deps.decisions.insertOrRead(trx, offered)
    if (!isNew) return standing
    if (deps.publishes) await publish(deps, trx, record, standing, input)
    await deps.records.append(trx, buildDecidedRecord(deps, record, standing))
    return standing
  }, [])
  if (differs(stored, input)) throw apiError('DECISION_CONFLICT')
  return stored
}

/** Orders feedback once for its key, unless what was ordered has failed, as while the relayer may act for the token. */
async function publish(
  { outbox, payers }: Pick<RecordDecisionDeps, 'outbox' | 'payers'>,
  trx: Trx,
  record: AuditRecord,
  decided: SessionDecision,
  { principal, ip }: Pick<RecordDecisionInput, 'principal' | 'ip'>,
): Promise<void> {
  const { personId: accountId, organizationId, developerId } = principal
  const { strangerId } = await payers.payerBehind(trx, organizationId ?? developerId)
  const feedback = buildFeedbackIntent(record, decided, { accountId, strangerId, network: networkOf(ip) })
  if (feedback === null) return
  const earlier = await outbox.byKey(feedback.idempotencyKey, trx)
  if (earlier?.status === 'failed') await outbox.addAgain(trx, feedback)
  else await outbox.add(trx, feedback)
}

/** A session that was denied or held for approval can neither be granted nor get a token. */
function contradicts(record: AuditRecord, { decision, tokenIssued }: RecordDecisionInput): boolean {
  const { recommendation } = JSON.parse(record.eventData) as { recommendation: Recommendation }
  const isAdmitted = recommendation === 'grant' || recommendation === 'audit'
  return !isAdmitted && (decision === 'granted' || tokenIssued === true)
}

/** What a repetition leaves out is not another statement. */
function differs(stored: SessionDecision, { decision, reason, tokenIssued }: RecordDecisionInput): boolean {
  return (
    stored.decision !== decision ||
    (reason !== null && stored.reason !== reason) ||
    (tokenIssued !== null && stored.tokenIssued !== tokenIssued)
  )
}

function buildDecidedRecord(
  { randomBytes }: Pick<RecordDecisionDeps, 'randomBytes'>,
  record: AuditRecord,
  { sessionId, decision, reason, tokenIssued, recordedAt }: SessionDecision,
) {
  return buildSessionRecord(randomBytes, record, {
    eventType: 'counterparty.decided',
    subject: { decisionOf: record.recordId },
    eventData: { sessionId, decision, reason, tokenIssued },
    at: recordedAt,
  })
}
