import type { Knex } from 'knex'

const DAY_MS = 24 * 3_600_000

/**
 * Tables whose rows are of no use any more once `since` is longer ago than `keptMs`, and the column that names a row.
 *
 * A settled mail is kept for a while, because its key is what keeps it from being sent twice. The others expire on
 * their own: those that come after sweep some of them as well, but only as long as any come. An expired refresh token
 * is refused before it matters that it was used.
 */
const EXPIRING = [
  { table: 'mail_outbox', name: 'id', since: 'settled_at', keptMs: 30 * DAY_MS },
  { table: 'attempts', name: 'subject', since: 'forget_at', keptMs: 0 },
  { table: 'idempotency_keys', name: 'claim_id', since: 'claimed_at', keptMs: DAY_MS },
  { table: 'request_nonces', name: 'nonce', since: 'expires_at', keptMs: 0 },
  { table: 'interim_sign_ins', name: 'token_hash', since: 'expires_at', keptMs: 0 },
  { table: 'mailed_tokens', name: 'token_hash', since: 'expires_at', keptMs: 0 },
  { table: 'auth_challenges', name: 'value', since: 'expires_at', keptMs: 0 },
  { table: 'refresh_tokens', name: 'token_hash', since: 'expires_at', keptMs: 0 },
] as const

/** How long a session is kept after it was last renewed, which is also as long as a refresh token lives. */
const SESSION_KEPT_MS = 30 * DAY_MS

/** Deletes rows that nothing will ask for again. */
export function createExpiredRowsStore() {
  return {
    /** Deletes at most `most` rows of each table, and answers how many went. */
    async delete(trx: Knex.Transaction, now: number, most: number): Promise<number> {
      let deleted = 0
      for (const { table, name, since, keptMs } of EXPIRING) {
        const isOver = (rows: Knex.QueryBuilder) => rows.where(since, '<', now - keptMs)
        const names = isOver(trx(table).select(name)).limit(most)
        deleted += await isOver(trx(table).whereIn(name, names)).delete()
      }
      return deleted + (await deleteSessions(trx, now, most))
    },
  }
}

/** Sessions that nothing can renew any more and nothing refers to; their access tokens ended long ago. */
function deleteSessions(trx: Knex.Transaction, now: number, most: number): Promise<number> {
  const refersTo = (table: string) => trx(table).select('session_id').whereRaw('session_id = sessions.id')
  const over = trx('sessions')
    .select('id')
    .whereRaw('COALESCE(last_used_at, authenticated_at) < ?', [now - SESSION_KEPT_MS])
    .whereNotExists(refersTo('refresh_tokens'))
    .whereNotExists(refersTo('auth_challenges'))
    .limit(most)
  return trx('sessions').whereIn('id', over).delete()
}
