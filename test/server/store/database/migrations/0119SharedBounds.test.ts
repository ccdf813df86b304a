import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0119_shared_bounds')

describe('migration 0119 counts earlier intents for nobody, and adds the answers about limits', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    await query('relayer_intents').insert({
      ...{ idempotency_key: 'k', kind: 'identity.mint', payload: '{}', status: 'queued' },
      ...{ next_attempt_at: 1, created_at: 1, updated_at: 1 },
    })
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await query('relayer_intents').select('account_id', 'network')).to.deep.equal([
        { account_id: null, network: null },
      ])
      await query('limit_answers').insert({
        ...{ agent_id: 'SVC-1', account_id: 'ada', amount: 0.5, is_over: true, answered_at: 1 },
      })
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasTable('limit_answers')).to.equal(false)
      expect(await query('relayer_intents').first()).to.not.have.property('network')
    }
  })
})
