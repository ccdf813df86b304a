import type { Knex } from 'knex'

const DAY_MS = 24 * 3_600_000

/**
 * Tables whose rows are of no use any more once `since` is longer ago than `keptMs`, and the column that names a row.
 *
 * A settled mail is kept for a while, because its key is what keeps it from being sent twice. The others expire on
 * their own: those that come after sweep them as well, but only as long as any come.
 */
const EXPIRING = [
  { table: 'mail_outbox', name: 'id', since: 'settled_at', keptMs: 30 * DAY_MS },
  { table: 'attempts', name: 'subject', since: 'forget_at', keptMs: 0 },
  { table: 'idempotency_keys', name: 'claim_id', since: 'claimed_at', keptMs: DAY_MS },
  { table: 'request_nonces', name: 'nonce', since: 'expires_at', keptMs: 0 },
  { table: 'interim_sign_ins', name: 'token_hash', since: 'expires_at', keptMs: 0 },
  { table: 'mailed_tokens', name: 'token_hash', since: 'expires_at', keptMs: 0 },
  { table: 'auth_challenges', name: 'value', since: 'expires_at', keptMs: 0 },
] as const

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
      return deleted
    },
  }
}
