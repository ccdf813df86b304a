import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0130_limit_thresholds')

describe('migration 0130 takes all earlier answers for such about Hard Limits', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    const answer = { agent_id: 'SVC-1', account_id: 'ada', amount: 0.5, is_over: true, answered_at: 1 }
    await query.migrate.latest(to(BEFORE))
    await query('limit_answers').insert(answer)
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await query('limit_answers').select('threshold')).to.deep.equal([{ threshold: 'hard_limit' }])
      await query('limit_answers').insert({ ...answer, threshold: 'approval' })
      await query.migrate.down(to(BEFORE + 1))
      const left = await query('limit_answers')
      expect(left).to.have.length(1)
      expect(left[0]).to.not.have.property('threshold')
    }
  })
})
