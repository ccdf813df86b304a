import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { buildAgentRow } from '../../../../builders/buildAgentRow.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0025_sub_agents_and_credentials')

describe('migration 0025 leaves agents unchanged', () => {
  /** Up, down and up again, with an existing agent. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    await query('agents').insert({ ...buildAgentRow('SVC-1', 1), name: 'Buyer' })
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      const [agent] = await query('agents').select({
        parent: 'parent_agent_id',
        isHeld: 'is_held',
        name: 'name',
      })
      expect({ ...agent, isHeld: Boolean(agent?.isHeld) }).to.deep.equal({
        parent: null,
        isHeld: false,
        name: 'Buyer',
      })
      for (const table of ['agent_ancestors', 'agent_credentials', 'credential_challenges']) {
        expect(await query(table).select('*')).to.deep.equal([])
      }
      await query.migrate.down(to(BEFORE + 1))
      expect(Object.keys((await query('agents').first()) ?? {})).not.to.include('is_held')
    }
  }

  onBothDatabases(walk)
})
