import type { Knex } from 'knex'
import { excludePaused, type Paused } from './pausedPayers.ts'

/** Which unsettled intents are read. */
export type Selection = {
  only?: readonly string[]
  except?: readonly string[]
  /** Only those for strangers, or only all others. */
  forStrangers?: boolean
  exceptPayers?: Paused
  /** Beginnings of keys, without special characters of SQL patterns. */
  exceptKeys?: readonly string[]
  /** Only those that are due at this time, in epoch milliseconds. */
  dueAt?: number
  /** Only those with a higher id. */
  after?: number
}

/** Restricts a query to a selection; the kinds of `only` are left to the caller. */
export function selectIntents(
  intents: Knex.QueryBuilder,
  { except = [], forStrangers, exceptPayers, exceptKeys = [], dueAt, after }: Selection,
): void {
  if (except.length > 0) intents.whereNotIn('kind', [...except])
  if (forStrangers === true) intents.whereNotNull('stranger_id')
  if (forStrangers === false) intents.whereNull('stranger_id')
  if (exceptPayers) excludePaused(intents, exceptPayers)
  for (const beginning of exceptKeys) intents.whereNot('idempotency_key', 'like', `${beginning}%`)
  if (dueAt !== undefined) intents.where('next_attempt_at', '<=', dueAt)
  if (after !== undefined) intents.where('id', '>', after)
}
