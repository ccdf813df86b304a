import { expect } from 'chai'
import type { Knex } from 'knex'
import { isPostgres } from '../../../../../server/store/database/knexSettings.ts'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0103_pending_records')

const recordOf = (record_id: string) => ({
  ...{ record_id, recorded_at: 1, event_type: 'verification.completed' },
  ...{ event_data: '{}', inputs: '{}', inputs_salt: '', entry: `entry ${record_id}` },
})

describe('migration 0103 loses no record that waits for its place', () => {
  /** Undoing it gives pending records the next places, in order. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    await query('audit_records').insert([
      { seq: 0, ...recordOf('a') },
      { seq: 1, ...recordOf('b') },
    ])
    const waiting = isPostgres(query) ? ['c', 'd', 'e'] : []
    await query.migrate.latest(to(BEFORE + 1))
    if (waiting.length > 0) await query('pending_records').insert(waiting.map(recordOf))
    await query.migrate.down(to(BEFORE + 1))
    await query.migrate.latest(to(BEFORE + 1))
    const rows = await query('audit_records').select('seq', 'entry').orderBy('seq')
    expect(rows.map(({ seq, entry }) => [Number(seq), entry])).to.deep.equal(
      ['a', 'b', ...waiting].map((id, seq) => [seq, `entry ${id}`]),
    )
  }

  onBothDatabases(walk)
})
