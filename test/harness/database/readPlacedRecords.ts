import { expect } from 'chai'
import type { Db } from '../../../server/store/database/database.ts'

/** Reads the identifiers of all records in the order of their places, which have no gap, each with its own entry. */
export async function readPlacedRecords({ query }: Pick<Db, 'query'>): Promise<string[]> {
  const rows = await query('audit_records').select('seq', 'record_id', 'entry').orderBy('seq')
  expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, at) => at))
  for (const { record_id, entry } of rows) expect(JSON.parse(entry).recordId).to.equal(record_id)
  return rows.map(({ record_id }) => record_id)
}
