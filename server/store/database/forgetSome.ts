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
