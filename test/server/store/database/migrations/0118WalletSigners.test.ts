import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { buildAgentRow } from '../../../../builders/buildAgentRow.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0118_wallet_signers')

describe('migration 0118 notes which wallets were unlinked', () => {
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    const user = { id: 'ada', developer_id: 'SVCD-1', account_type: 'individual', created_at: 1 }
    await query('users').insert(user)
    await query('wallets').insert({ address: '0xlinked', user_id: 'ada', created_at: 1 })
    for (const [svcId, signer] of [
      ['SVC-1', '0xlinked'],
      ['SVC-2', '0xunlinked'],
      ['SVC-3', '0xunlinked'],
      ['SVC-4', '0xapproved'],
      ['SVC-5', null],
    ] as const) {
      await query('agents').insert({ ...buildAgentRow(svcId, 1), signer_address: signer })
    }
    await query('registration_requests').insert({
      ...{ id: 'r', kind: 'api_key', registration: '{}', challenge_salt: '', status: 'approved' },
      ...{ created_at: 1, expires_at: 1, svc_id: 'SVC-4' },
    })
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await query('unlinked_wallets').select('user_id', 'address')).to.deep.equal([
        { user_id: 'ada', address: '0xunlinked' },
      ])
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasTable('unlinked_wallets')).to.equal(false)
    }
  }

  onBothDatabases(walk)
})
