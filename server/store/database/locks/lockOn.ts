import type { Knex } from 'knex'
import type { QueryConfig } from 'pg'

/** Takes a lock in a transaction of knex by a statement with at most one value; false if it found no row to lock. */
export async function lockOn(trx: Knex.Transaction, { text, values = [] }: QueryConfig): Promise<boolean> {
  const { rows } = await trx.raw(text.replace('$1', '?'), values)
  return rows.length > 0
}
