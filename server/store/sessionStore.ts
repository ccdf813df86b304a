import type { Knex } from 'knex'

/** One sign-in, and the family of the refresh tokens that come of it; times are epoch milliseconds. */
export type Session = {
  /** UUIDv7. */
  id: string
  userId: string
  /** How the user proved who they are. Source: RFC 8176. */
  amr: string[]
  authenticatedAt: number
  endedAt: number | null
}

export type SessionStore = ReturnType<typeof createSessionStore>

/** Keeps sessions; an ended one never comes back. */
export function createSessionStore(query: Knex) {
  return {
    async insert(trx: Knex.Transaction, session: Session): Promise<void> {
      await trx('sessions').insert({
        id: session.id,
        user_id: session.userId,
        amr: JSON.stringify(session.amr),
        authenticated_at: session.authenticatedAt,
        ended_at: session.endedAt,
      })
    },

    async live(id: string, run: Knex = query): Promise<Session | null> {
      const row = await run('sessions')
        .select({
          id: 'id',
          userId: 'user_id',
          amr: 'amr',
          authenticatedAt: 'authenticated_at',
          endedAt: 'ended_at',
        })
        .where({ id })
        .whereNull('ended_at')
        .first()
      return row ? { ...row, amr: JSON.parse(row.amr) } : null
    },

    async end(trx: Knex.Transaction, id: string, endedAt: number): Promise<void> {
      await trx('sessions').update({ ended_at: endedAt }).where({ id }).whereNull('ended_at')
    },

    /** Ends every session of an account, and says which. */
    async endOfUser(trx: Knex.Transaction, userId: string, endedAt: number): Promise<string[]> {
      const ended = await trx('sessions')
        .update({ ended_at: endedAt })
        .where({ user_id: userId })
        .whereNull('ended_at')
        .returning('id')
      return ended.map(({ id }) => String(id))
    },
  }
}
