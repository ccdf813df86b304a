import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0138_uses_of_grants')

describe('migration 0138 takes receipts for such without uses, also those that an older release issues', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    const issue = (id: string) =>
      query('receipts').insert({ record_id: id, agent_id: 'SVC-1', receipt: 'a.b.c', expires_at: 1 })
    const counts = () => query('receipts').orderBy('record_id').pluck('use_count')
    await query.migrate.latest(to(BEFORE))
    await issue('1')
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await counts()).to.deep.equal(Array(1 + times).fill(0))
      await issue(String(2 + times))
      expect(await counts()).to.deep.equal(Array(2 + times).fill(0))
      await query.migrate.down(to(BEFORE + 1))
      expect(await query('receipts').first()).to.not.have.property('use_count')
    }
  })
})
