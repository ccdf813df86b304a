import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0143_adopted_wallets')

describe('migration 0143 adds the wallet of adopted tokens, not read yet, and removes it', () => {
  onBothDatabases(async (query: Knex) => {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    await query('foreign_adoptions').insert({
      ...{ agent_id: 'SVC-1', agent_registry: 'eip155:1:0xaa', foreign_id: 7, owner: '0xbb' },
      ...{ adopted_block: 3, feedback_read_at: 4 },
    })
    const adoption = () => query('foreign_adoptions').first()
    const before = await adoption()
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await adoption()).to.deep.equal({ ...before, wallet: null, wallet_block: null })
      await query('foreign_adoptions').update({ wallet: '0xcc', wallet_block: 5 })
      await query.migrate.down(to(BEFORE + 1))
      expect(await adoption()).to.deep.equal(before)
    }
  })
})
