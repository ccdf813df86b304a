import type { Knex } from 'knex'

/** Tables whose rows are of no use any more at some time: the columns that name a row, and the one that has its time. */
const EXPIRING = {
  attempts: { name: ['subject'], since: 'forget_at' },
  auth_challenges: { name: ['value'], since: 'expires_at' },
  idempotency_keys: { name: ['claim_id'], since: 'claimed_at' },
  interim_sign_ins: { name: ['token_hash'], since: 'expires_at' },
  mail_outbox: { name: ['id'], since: 'settled_at' },
  mailed_tokens: { name: ['token_hash'], since: 'expires_at' },
  refresh_tokens: { name: ['token_hash'], since: 'expires_at' },
  request_nonces: { name: ['address', 'nonce'], since: 'expires_at' },
} as const

export type ExpiringTable = keyof typeof EXPIRING

/** What one request may forget is a matter of milliseconds; the retention deletes the rest. */
const FORGOTTEN_MAX = 1_000

/** Deletes at most `most` rows whose time was before a moment, in epoch milliseconds, and answers how many went. */
export function deleteExpired(
  run: Knex,
  table: ExpiringTable,
  before: number,
  most = FORGOTTEN_MAX,
): Promise<number> {
  const { name, since } = EXPIRING[table]
  const some = run(table).select(name).where(since, '<', before).limit(most)
  return run(table).whereIn(name, some).delete()
}

const DAY_MS = 24 * 3_600_000

/**
 * How long the rows of each table are kept after their time.
 *
 * A settled mail is kept for a while, because its key is what keeps it from being sent twice. The others expire on
 * their own: those that come after sweep some of them as well, but only as long as any come. An expired refresh token
 * is refused before it matters that it was used.
 */
const KEPT_MS: Readonly<Record<ExpiringTable, number>> = {
  mail_outbox: 30 * DAY_MS,
  attempts: 0,
  idempotency_keys: DAY_MS,
  request_nonces: 0,
  interim_sign_ins: 0,
  mailed_tokens: 0,
  auth_challenges: 0,
  refresh_tokens: 0,
}

/** How long a session is kept after it was last renewed, which is also as long as a refresh token lives. */
const SESSION_KEPT_MS = 30 * DAY_MS

/** Deletes rows that nothing will ask for again. */
export function createExpiredRowsStore() {
  return {
    /** Deletes at most `most` rows of each table, and answers how many went. */
    async delete(trx: Knex.Transaction, now: number, most: number): Promise<number> {
      let deleted = 0
      for (const [table, keptMs] of Object.entries(KEPT_MS)) {
        deleted += await deleteExpired(trx, table as ExpiringTable, now - keptMs, most)
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
