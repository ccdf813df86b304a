import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/auditRecordStore.ts'
import type { SessionDecision, SessionDecisionStore } from '../../store/sessionDecisionStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'

export type RecordDecisionDeps = {
  records: Pick<AuditRecordStore, 'bySessionId'>
  decisions: SessionDecisionStore
  /** Resolves when everything recorded so far can be found by its session. */
  catchUp: () => Promise<unknown>
}

/** The decision that stands for a session. */
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
 * Notes what the counterparty decided for a verified session: once; the same again gets the same answer.
 *
 * @throws ApiError NOT_FOUND for an unknown session or one of another account, DECISION_CONFLICT for another decision.
 * Source: `Spec: POST /api/agents/verify-access/{sessionId}/decision`; api.md "Approvals, activity, audit".
 */
export async function recordDecision(
  deps: RecordDecisionDeps,
  input: RecordDecisionInput,
): Promise<RecordedDecision> {
  const record = await findSession(deps, input.sessionId)
  const owner = record?.counterpartyOwnerId
  if (!owner || !input.principal.actsFor.has(owner)) throw apiError('NOT_FOUND')
  const stored = await deps.decisions.insertOrRead({
    sessionId: input.sessionId,
    decision: input.decision,
    reason: input.reason,
    tokenIssued: input.tokenIssued,
    recordedAt: input.now,
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
