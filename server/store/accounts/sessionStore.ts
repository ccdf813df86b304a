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
  /** Where it was opened or last renewed, as far as that is kept; null for what was not said. */
  client: SessionClient
  lastUsedAt: number
}

/** Where a session is used: a browser's kind and a part of the network's address, neither of which names one device. */
export type SessionClient = { browser: string | null; network: string | null }

const COLUMNS = {
  id: 'id',
  userId: 'user_id',
  amr: 'amr',
  authenticatedAt: 'authenticated_at',
  endedAt: 'ended_at',
  browser: 'browser',
  network: 'network',
  lastUsedAt: 'last_used_at',
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
        browser: session.client.browser,
        network: session.client.network,
        last_used_at: session.lastUsedAt,
      })
    },

    async live(id: string, run: Knex = query): Promise<Session | null> {
      const row = await run('sessions').select(COLUMNS).where({ id }).whereNull('ended_at').first()
      return row ? sessionOf(row) : null
    },

    /** Sessions of an account that are open and were used since a moment, the last used first. */
    async liveOf(
      userId: string,
      page: { usedSince: number; before: { at: number; id: string } | null; limit: number },
    ): Promise<Session[]> {
      const rows = await query('sessions')
        .select(COLUMNS)
        .where({ user_id: userId })
        .whereNull('ended_at')
        .whereRaw('COALESCE(last_used_at, authenticated_at) > ?', [page.usedSince])
        .modify((sessions) => {
          if (page.before === null) return
          const { at, id } = page.before
          sessions.whereRaw('(COALESCE(last_used_at, authenticated_at), id) < (?, ?)', [at, id])
        })
        .orderByRaw('COALESCE(last_used_at, authenticated_at) DESC, id DESC')
        .limit(page.limit)
      return rows.map(sessionOf)
    },

    /** Says that a session was renewed, and where. */
    async use(trx: Knex.Transaction, id: string, client: SessionClient, usedAt: number): Promise<void> {
      await trx('sessions')
        .update({ ...client, last_used_at: usedAt })
        .where({ id })
    },

    async end(trx: Knex.Transaction, id: string, endedAt: number): Promise<void> {
      await trx('sessions').update({ ended_at: endedAt }).where({ id }).whereNull('ended_at')
    },

    /** Ends an open session if it is the user's; false when it is not. */
    async endOwn(
      trx: Knex.Transaction,
      own: { id: string; userId: string },
      endedAt: number,
    ): Promise<boolean> {
      const { id, userId } = own
      const ended = await trx('sessions')
        .update({ ended_at: endedAt })
        .where({ id, user_id: userId })
        .whereNull('ended_at')
      return ended > 0
    },

    /** Ends an account's sessions that were opened in one of these ways, but one that goes on, and says which. */
    async endOpenedBy(
      trx: Knex.Transaction,
      opened: { userId: string; amrs: readonly (readonly string[])[]; exceptId: string },
      endedAt: number,
    ): Promise<string[]> {
      const { userId, amrs, exceptId } = opened
      const ended = await trx('sessions')
        .update({ ended_at: endedAt })
        .where({ user_id: userId })
        .whereNull('ended_at')
        .whereIn(
          'amr',
          amrs.map((amr) => JSON.stringify(amr)),
        )
        .whereNot({ id: exceptId })
        .returning('id')
      return ended.map(({ id }) => String(id))
    },

    /** Ends every session of an account but one that may be named, and says which. */
    async endOfUser(
      trx: Knex.Transaction,
      userId: string,
      endedAt: number,
      exceptId: string | null = null,
    ): Promise<string[]> {
      const ended = await trx('sessions')
        .update({ ended_at: endedAt })
        .where({ user_id: userId })
        .whereNull('ended_at')
        .modify((builder) => {
          if (exceptId !== null) builder.whereNot({ id: exceptId })
        })
        .returning('id')
      return ended.map(({ id }) => String(id))
    },
  }
}

/** Sessions from before it was kept were last used when they were opened, as far as anybody knows. */
function sessionOf(row: Record<keyof typeof COLUMNS, string & number>): Session {
  const { browser, network, amr, lastUsedAt, ...session } = row
  return {
    ...session,
    amr: JSON.parse(amr),
    client: { browser, network },
    lastUsedAt: lastUsedAt ?? session.authenticatedAt,
  }
}
