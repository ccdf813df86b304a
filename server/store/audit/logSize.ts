import type { Knex } from 'knex'

/** How many records the log holds, which is also the place of the next one; as a transaction sees it when given one. */
export async function readLogSize(reader: Knex): Promise<number> {
  const last = await reader('audit_records').max({ seq: 'seq' }).first()
  return last?.seq === null || last?.seq === undefined ? 0 : Number(last.seq) + 1
}
