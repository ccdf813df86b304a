import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0142_trace_origins')

describe('migration 0142 adds two tables, and removes both', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    const exist = () =>
      Promise.all(['record_origins', 'intent_origins'].map((table) => query.schema.hasTable(table)))
    await query.migrate.latest(to(BEFORE))
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await exist()).to.deep.equal([true, true])
      await query.migrate.down(to(BEFORE + 1))
      expect(await exist()).to.deep.equal([false, false])
    }
  })
})
