import type { Knex } from 'knex'

/** A sign-in, and the family of its refresh tokens; times are epoch milliseconds. */
export type Session = {
  /** UUIDv7. */
  id: string
  userId: string
  /** The user's authentication methods. Source: RFC 8176. */
  amr: string[]
  /** The wallet that opened it, in lower case; null if it was opened in another way, and for older sessions. */
  walletAddress: string | null
  authenticatedAt: number
  endedAt: number | null
  /** Where it was opened or last renewed, if stored; null for unknown values. */
  client: SessionClient
  lastUsedAt: number
}

/** Why a session has ended. */
export type SessionEndReason =
  | 'signed_out'
  | 'ended_elsewhere'
  | 'signed_out_everywhere'
  | 'password_changed'
  | 'sign_in_removed'
  | 'accounts_merged'
  | 'token_reused'
  | 'suspended'

/** When, in epoch milliseconds, and why a session ends. */
export type SessionEnd = { at: number; reason: SessionEndReason }

/** Where a session is used: the kind of browser and part of the network address, neither of which identifies a device. */
export type SessionClient = { browser: string | null; network: string | null }

const COLUMNS = {
  id: 'id',
  userId: 'user_id',
  amr: 'amr',
  walletAddress: 'wallet_address',
  authenticatedAt: 'authenticated_at',
  endedAt: 'ended_at',
  browser: 'browser',
  network: 'network',
  lastUsedAt: 'last_used_at',
}

export type SessionStore = ReturnType<typeof createSessionStore>

/** Stores sessions; an ended one never becomes active again. */
export function createSessionStore(query: Knex) {
  return {
    async insert(trx: Knex.Transaction, session: Session): Promise<void> {
      await trx('sessions').insert({
        id: session.id,
        user_id: session.userId,
        amr: JSON.stringify(session.amr),
        wallet_address: session.walletAddress,
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

    /** Reads the open sessions of an account that were used since a given time, the last used first. */
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

    /** Stores when and where a session was renewed. */
    async use(trx: Knex.Transaction, id: string, client: SessionClient, usedAt: number): Promise<void> {
      await trx('sessions')
        .update({ ...client, last_used_at: usedAt })
        .where({ id })
    },

    async end(trx: Knex.Transaction, id: string, end: SessionEnd): Promise<void> {
      await trx('sessions').update(columnsOf(end)).where({ id }).whereNull('ended_at')
    },

    /** Why a session has ended; null for an open one, and for one that ended before reasons were stored. */
    async endReasonOf(trx: Knex.Transaction, id: string): Promise<SessionEndReason | null> {
      const row = await trx('sessions').select({ reason: 'end_reason' }).where({ id }).first()
      return row?.reason ?? null
    },

    /** Ends an open session of the user; false if there is none. */
    async endOwn(
      trx: Knex.Transaction,
      own: { id: string; userId: string },
      end: SessionEnd,
    ): Promise<boolean> {
      const { id, userId } = own
      const ended = await trx('sessions')
        .update(columnsOf(end))
        .where({ id, user_id: userId })
        .whereNull('ended_at')
      return ended > 0
    },

    /**
     * Ends an account's sessions that were opened with one of these methods, except a given one; returns the ended ones.
     */
    async endOpenedBy(
      trx: Knex.Transaction,
      opened: { userId: string; amrs: readonly (readonly string[])[]; exceptId: string },
      end: SessionEnd,
    ): Promise<string[]> {
      const { userId, amrs, exceptId } = opened
      const ended = await trx('sessions')
        .update(columnsOf(end))
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

    /** Ends all sessions of an account, optionally except one; returns the ended ones. */
    async endOfUser(
      trx: Knex.Transaction,
      userId: string,
      end: SessionEnd,
      exceptId: string | null = null,
    ): Promise<string[]> {
      const ended = await trx('sessions')
        .update(columnsOf(end))
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

function columnsOf({ at, reason }: SessionEnd) {
  return { ended_at: at, end_reason: reason }
}

/** For sessions older than this column, the last known use is their opening. */
function sessionOf(row: Record<keyof typeof COLUMNS, string & number>): Session {
  const { browser, network, amr, lastUsedAt, ...session } = row
  return {
    ...session,
    amr: JSON.parse(amr),
    client: { browser, network },
    lastUsedAt: lastUsedAt ?? session.authenticatedAt,
  }
}
