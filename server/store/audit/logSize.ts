import type { Knex } from 'knex'

/**
 * Counts the records that have a place in the log, which is also the next place; pass a transaction to count its view.
 *
 * On PostgreSQL, records that were just committed may be missing.
 */
export async function readLogSize(reader: Knex): Promise<number> {
  const last = await reader('audit_records').max({ seq: 'seq' }).first()
  return last?.seq === null || last?.seq === undefined ? 0 : Number(last.seq) + 1
}
