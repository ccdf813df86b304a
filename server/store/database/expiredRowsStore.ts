import type { Period } from '@svc/core/time/period.ts'
import type { Knex } from 'knex'
import { isPostgres } from './knexSettings.ts'

/** Tables with expiring rows: the columns that identify a row, and the column with its time. */
const EXPIRING = {
  approval_digests: { name: ['owner_id', 'account_id'], since: 'mailed_at' },
  attempts: { name: ['subject'], since: 'forget_at' },
  auth_challenges: { name: ['value'], since: 'expires_at' },
  idempotency_keys: { name: ['claim_id'], since: 'claimed_at' },
  intent_origins: { name: ['intent_id'], since: 'ordered_at' },
  interim_sign_ins: { name: ['token_hash'], since: 'expires_at' },
  limit_answers: { name: ['id'], since: 'answered_at' },
  mail_outbox: { name: ['id'], since: 'settled_at' },
  mailed_tokens: { name: ['token_hash'], since: 'expires_at' },
  record_origins: { name: ['record_id'], since: 'recorded_at' },
  refresh_tokens: { name: ['token_hash'], since: 'expires_at' },
  request_nonces: { name: ['address', 'nonce'], since: 'expires_at' },
  sub_agent_grants: { name: ['agent_id', 'seq'], since: 'expires_at' },
  transaction_grants: { name: ['scope', 'granted_at', 'ordinal'], since: 'granted_at' },
  used_proofs: { name: ['proof'], since: 'expires_at' },
} as const

export type ExpiringTable = keyof typeof EXPIRING

/** A limit that keeps a request's clean-up in the range of milliseconds; the retention job deletes the rest. */
const DELETED_MAX = 1_000

/** Deletes up to `most` rows whose time is before `before` (epoch milliseconds), and returns how many. */
export function deleteExpired(
  run: Knex,
  table: ExpiringTable,
  before: number,
  most = DELETED_MAX,
): Promise<number> {
  const { name, since } = EXPIRING[table]
  const some = run(table).select(name).where(since, '<', before).limit(most)
  return run(table).whereIn(name, some).delete()
}

const DAY_MS = 24 * 3_600_000

/**
 * How long each table keeps its rows after their time.
 *
 * A settled mail is kept for a while, because its key prevents a second delivery. Rows of the other tables expire on
 * their own, and new rows also sweep old ones, but only as long as new ones arrive. An expired refresh token is
 * rejected before its reuse would matter. Grants count for an hour, and are kept for a day in case clocks differ. The span
 * of a record is kept as long as its deliveries are retried, and that of an intent until the intent is settled.
 */
const RETENTION_MS: Readonly<Record<ExpiringTable, number>> = {
  mail_outbox: 30 * DAY_MS,
  attempts: 0,
  approval_digests: DAY_MS,
  idempotency_keys: DAY_MS,
  intent_origins: 30 * DAY_MS,
  limit_answers: 3_600_000,
  record_origins: 4 * DAY_MS,
  request_nonces: 0,
  sub_agent_grants: 0,
  transaction_grants: DAY_MS,
  used_proofs: 0,
  interim_sign_ins: 0,
  mailed_tokens: 0,
  auth_challenges: 0,
  refresh_tokens: 0,
}

/** For how many days from its start a sum of spend is kept: a day or more beyond its period, in case clocks differ. */
const SPEND_DAYS = { hour: 2, day: 3, week: 9, month: 33 } as const satisfies Record<
  Exclude<Period, 'total'>,
  number
>

/** How long a session is kept after its last renewal, which equals the lifetime of a refresh token. */
const SESSION_RETENTION_MS = 30 * DAY_MS

/** How many days the operator keeps rows of their owners; undefined for ever. */
export type RetentionDays = { alerts?: number | undefined; approvals?: number | undefined }

/**
 * Deletes rows that no operation needs any more.
 *
 * @param days How long alerts are kept after they were raised, and settled approvals after the end of their window. What was
 * decided remains in the audit log.
 */
export function createExpiredRowsStore(days: RetentionDays = {}) {
  return {
    /** Deletes up to `most` rows of each table, and returns how many. */
    async delete(trx: Knex.Transaction, now: number, most: number): Promise<number> {
      let deleted = 0
      for (const [table, retentionMs] of Object.entries(RETENTION_MS)) {
        deleted += await deleteExpired(trx, table as ExpiringTable, now - retentionMs, most)
      }
      deleted += await deleteEndedSpend(trx, now, most)
      deleted += await deleteSessions(trx, now, most)
      return deleted + (await deleteOld(trx, { days, now, most }))
    },
  }
}

/**
 * Sums of periods that have ended, which no decision reads again; a total never ends. The name of a period begins with its
 * kind and its start (`SpendKey`), whose digits have been as many since 2001, so that names are in the order of starts.
 */
async function deleteEndedSpend(trx: Knex.Transaction, now: number, most: number): Promise<number> {
  const period = isPostgres(trx) ? 'period COLLATE "C"' : 'period'
  const name = ['endpoint_id', 'agent_id', 'period']
  let deleted = 0
  for (const [kind, days] of Object.entries(SPEND_DAYS)) {
    const ended = trx('cumulative_spend')
      .select(name)
      .whereRaw(`${period} >= ? AND ${period} < ?`, [`${kind}:`, `${kind}:${now - days * DAY_MS}`])
      .limit(most)
    deleted += await trx('cumulative_spend').whereIn(name, ended).delete()
  }
  return deleted
}

async function deleteOld(
  trx: Knex.Transaction,
  { days, now, most }: { days: RetentionDays; now: number; most: number },
): Promise<number> {
  const old = (table: string, since: string, kept: number) =>
    trx(table)
      .select('id')
      .where(since, '<', now - kept * DAY_MS)
      .limit(most)
  let deleted = 0
  if (days.alerts !== undefined) {
    deleted += await trx('alerts')
      .whereIn('id', old('alerts', 'created_at', days.alerts))
      .delete()
  }
  if (days.approvals !== undefined) {
    // A literal, as in the condition of the partial index.
    const settled = old('step_up_approvals', 'expires_at', days.approvals).whereRaw(`status <> 'pending'`)
    deleted += await trx('step_up_approvals').whereIn('id', settled).delete()
  }
  return deleted
}

/** Sessions that can no longer be renewed and that nothing references; their access tokens have long expired. */
function deleteSessions(trx: Knex.Transaction, now: number, most: number): Promise<number> {
  const refersTo = (table: string) => trx(table).select('session_id').whereRaw('session_id = sessions.id')
  const expired = trx('sessions')
    .select('id')
    .whereRaw('COALESCE(last_used_at, authenticated_at) < ?', [now - SESSION_RETENTION_MS])
    .whereNotExists(refersTo('refresh_tokens'))
    .whereNotExists(refersTo('auth_challenges'))
    .limit(most)
  return trx('sessions').whereIn('id', expired).delete()
}
