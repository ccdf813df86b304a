import type { Knex } from 'knex'

/** The decision of a counterparty about a session after the verification. */
export type SessionDecision = {
  sessionId: string
  decision: 'granted' | 'denied' | 'challenged' | 'deferred'
  reason: string | null
  tokenIssued: boolean | null
  /** Epoch milliseconds. */
  recordedAt: number
}

export type SessionDecisionStore = ReturnType<typeof createSessionDecisionStore>

/** Stores one decision per session: the first. */
export function createSessionDecisionStore() {
  return {
    /** Stores the decision unless there is one, and returns the stored one. */
    async insertOrRead(
      trx: Knex.Transaction,
      decision: SessionDecision,
    ): Promise<{ standing: SessionDecision; isNew: boolean }> {
      const inserted = await trx('session_decisions')
        .insert({
          session_id: decision.sessionId,
          decision: decision.decision,
          reason: decision.reason,
          token_issued: decision.tokenIssued,
          recorded_at: decision.recordedAt,
        })
        .onConflict('session_id')
        .ignore()
        .returning('session_id')
      const row = await trx('session_decisions')
        .select({
          decision: 'decision',
          reason: 'reason',
          tokenIssued: 'token_issued',
          recordedAt: 'recorded_at',
        })
        .where({ session_id: decision.sessionId })
        .first()
      const standing = {
        sessionId: decision.sessionId,
        decision: row?.decision,
        reason: row?.reason ?? null,
        tokenIssued: row?.tokenIssued === null ? null : Boolean(row?.tokenIssued),
        recordedAt: Number(row?.recordedAt),
      }
      return { standing, isNew: inserted.length > 0 }
    },
  }
}
