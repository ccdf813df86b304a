import type { Knex } from 'knex'

/** A session that its counterparty ended. */
export type EndedSession = {
  sessionId: string
  reason: string | null
  /** Epoch milliseconds. */
  endedAt: number
}

export type EndedSessionStore = ReturnType<typeof createEndedSessionStore>

/** Stores the end of each session once. */
export function createEndedSessionStore() {
  return {
    /** Stores the end unless the session has ended, and returns the stored one. */
    async insertOrRead(
      trx: Knex.Transaction,
      { sessionId, reason, endedAt }: EndedSession,
    ): Promise<{ ended: EndedSession; isNew: boolean }> {
      const inserted = await trx('ended_sessions')
        .insert({ session_id: sessionId, reason, ended_at: endedAt })
        .onConflict('session_id')
        .ignore()
        .returning('session_id')
      const row = await trx('ended_sessions')
        .select('reason', 'ended_at')
        .where({ session_id: sessionId })
        .first()
      const ended = { sessionId, reason: row?.reason ?? null, endedAt: Number(row?.ended_at) }
      return { ended, isNew: inserted.length > 0 }
    },
  }
}
