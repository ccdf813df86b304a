import type { Recommendation } from '@svc/core/access/decision.ts'
import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndedSession, EndedSessionStore } from '../../store/receipts/endedSessionStore.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'
import type { SubAgentGrantStore } from '../../store/recorder/subAgentGrantStore.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { buildSessionRecord } from '../verification/buildSessionRecord.ts'
import { type FindSessionDeps, findSession } from '../verification/findSession.ts'

export type EndSessionDeps = FindSessionDeps & {
  records: Pick<AuditRecordStore, 'bySessionId' | 'append'>
  receipts: Pick<ReceiptStore, 'withdraw'>
  endedSessions: EndedSessionStore
  subAgents: SubAgentGrantStore
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

export type EndSessionInput = {
  principal: ApiKeyPrincipal
  sessionId: string
  reason: string | null
  now: number
}

/**
 * Ends a granted session before its time, for the counterparty: its receipt is withdrawn, and a sub-agent granted in it
 * counts no longer. An event tells both parties. Repeating it returns the first end.
 *
 * @throws ApiError NOT_FOUND for an unknown session or one of another account; as `requireWriter`; INVALID_STATE for a
 * session that was not granted.
 */
export async function endSession(deps: EndSessionDeps, input: EndSessionInput): Promise<EndedSession> {
  const { principal, sessionId, reason, now } = input
  const opened = await findSession(deps, input)
  requireWriter(principal, opened.counterpartyOwnerId)
  const { recommendation } = JSON.parse(opened.eventData) as { recommendation: Recommendation }
  if (recommendation !== 'grant') throw apiError('INVALID_STATE', { message: 'The session was not granted.' })
  return deps.transaction(async (trx) => {
    const { ended, isNew } = await deps.endedSessions.insertOrRead(trx, { sessionId, reason, endedAt: now })
    if (!isNew) return ended
    await deps.receipts.withdraw(trx, { recordId: opened.recordId, at: now })
    if (opened.agentId !== null)
      await deps.subAgents.endOfSession(trx, { agentId: opened.agentId, sessionId })
    const event = {
      eventType: 'counterparty.session_ended',
      subject: { endOf: opened.recordId },
      eventData: { sessionId, reason },
      at: now,
    }
    await deps.records.append(trx, buildSessionRecord(deps.randomBytes, opened, event))
    return ended
  })
}
