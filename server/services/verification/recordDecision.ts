import { apiError } from '../../errors.ts'
import type { SessionDecision, SessionDecisionStore } from '../../store/approvals/sessionDecisionStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { buildFeedbackIntent } from './buildFeedbackIntent.ts'

export type RecordDecisionDeps = {
  records: Pick<AuditRecordStore, 'bySessionId'>
  decisions: SessionDecisionStore
  outbox: Pick<OutboxStore, 'add'>
  transaction: Db['transaction']
  /** Whether decisions are published as feedback in the reputation registry; their proofs are served under `publicUrl`. */
  publishes: boolean
  publicUrl: string
  /** Resolves when everything recorded so far can be found by its session. */
  catchUp: () => Promise<unknown>
}

/** The recorded decision of a session. */
export type RecordedDecision = SessionDecision

export type RecordDecisionInput = {
  principal: ApiKeyPrincipal
  sessionId: string
  decision: SessionDecision['decision']
  reason: string | null
  tokenIssued: boolean | null
  now: number
}

/**
 * Records the counterparty's decision about a verified session, once; repeating the same decision returns the same answer.
 *
 * @throws ApiError NOT_FOUND for an unknown session or one of another account, DECISION_CONFLICT for a different decision.
 * Source: `Spec: POST /api/agents/verify-access/{sessionId}/decision`.
 */
export async function recordDecision(
  deps: RecordDecisionDeps,
  input: RecordDecisionInput,
): Promise<RecordedDecision> {
  const record = await findSession(deps, input.sessionId)
  const owner = record?.counterpartyOwnerId
  if (!record || !owner || !input.principal.actsFor.has(owner)) throw apiError('NOT_FOUND')
  const { sessionId, decision, reason, tokenIssued, now } = input
  const stored = await deps.transaction(async (trx) => {
    const offered = { sessionId, decision, reason, tokenIssued, recordedAt: now }
    const standing = await deps.decisions.insertOrRead(trx, offered)
    const feedback = deps.publishes ? buildFeedbackIntent(record, standing, deps.publicUrl) : null
    if (feedback) await deps.outbox.add(trx, feedback)
    return standing
  })
  if (stored.decision !== input.decision) throw apiError('DECISION_CONFLICT')
  return stored
}

async function findSession(deps: RecordDecisionDeps, sessionId: string) {
  const known = await deps.records.bySessionId(sessionId)
  if (known) return known
  await deps.catchUp()
  return deps.records.bySessionId(sessionId)
}
