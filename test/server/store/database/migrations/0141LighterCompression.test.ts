import { expect } from 'chai'
import type { Knex } from 'knex'
import { isPostgres } from '../../../../../server/store/database/knexSettings.ts'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0141_lighter_compression')
/** Inputs of an ordinary decision: more than a row may have before PostgreSQL compresses it. */
const INPUTS = JSON.stringify(Array.from({ length: 200 }, (_, nth) => ({ nth, member: 'value' })))

describe('migration 0141 compresses records once, and lighter', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      if (isPostgres(query))
        expect(await compressionsOf(query)).to.deep.equal({ pending: null, placed: 'lz4' })
      await query.migrate.down(to(BEFORE + 1))
      if (isPostgres(query))
        expect(await compressionsOf(query)).to.deep.equal({ pending: 'pglz', placed: 'pglz' })
    }
  })
})

/** How a record is compressed while it is pending, and in the log. */
async function compressionsOf(query: Knex): Promise<{ pending: string | null; placed: string | null }> {
  const trx = await query.transaction()
  try {
    const record = { record_id: 'r', recorded_at: 1, event_type: 't', event_data: '{}', entry: '{}' }
    const stored = { ...record, inputs: INPUTS, inputs_salt: '00' }
    await trx('pending_records').insert(stored)
    await trx('audit_records').insert({ ...stored, seq: 0 })
    const { rows } =
      await trx.raw(`SELECT (SELECT pg_column_compression(inputs) FROM pending_records) AS pending,
      (SELECT pg_column_compression(inputs) FROM audit_records) AS placed`)
    return rows[0]
  } finally {
    await trx.rollback()
  }
}
