import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
const positionOf = (name: string) => migrations.findIndex((migration) => migration.name === name)

describe('migration 0071 counts earlier intents as those of known users', () => {
  const before = positionOf('0071_strangers_gas')

  onBothDatabases(async (query: Knex) => {
    await query.migrate.latest(to(before))
    await query('relayer_intents').insert({
      ...{ idempotency_key: 'k', kind: 'identity.mint', payload: '{}', status: 'queued' },
      ...{ next_attempt_at: 1, created_at: 1, updated_at: 1 },
    })
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(before + 1))
      expect(await query('relayer_intents').select('stranger_id')).to.deep.equal([{ stranger_id: null }])
      await query.migrate.down(to(before + 1))
      expect(await query('relayer_intents').first()).to.not.have.property('stranger_id')
    }
  })
})

describe('migration 0072 notifies of members, and can be undone', () => {
  const before = positionOf('0072_organization_controllers')

  onBothDatabases(async (query: Knex) => {
    await query.migrate.latest(to(before))
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(before + 1))
      await query.migrate.down(to(before + 1))
    }
  })
})

describe('migration 0085 adds to pending approvals who answers for the endpoint', () => {
  const before = positionOf('0085_approval_accounts')

  onBothDatabases(async (query: Knex) => {
    await query.migrate.latest(to(before))
    const user = { developer_id: 'SVCD-1', account_type: 'individual', created_at: 1 }
    await query('users').insert([
      { ...user, id: 'ada' },
      { ...user, id: 'bob', developer_id: 'SVCD-2' },
    ])
    await query('organizations').insert({ id: 'SVCO-1', name: 'o', created_by: 'bob', created_at: 1 })
    const approval = (id: string, owner: string | null, status = 'pending') => ({
      ...{
        id,
        agent_id: 'SVC-1',
        owner_id: 'SVCD-9',
        api_key_id: 'key',
        attempt_id: id,
        request_hash: 'hash',
      },
      ...{
        request: '{}',
        dimensions: '[]',
        needs_fresh_assertion: false,
        status,
        created_at: 1,
        expires_at: 9,
      },
      counterparty_owner_id: owner,
    })
    await query('step_up_approvals').insert([
      approval('developer', 'SVCD-1'),
      approval('organisation', 'SVCO-1'),
      approval('unknown', 'SVCO-0'),
      approval('decided', 'SVCD-1', 'approved'),
    ])
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(before + 1))
      const rows = await query('step_up_approvals').select('counterparty_account_id').orderBy('position')
      expect(rows.map((row) => row.counterparty_account_id)).to.deep.equal(['ada', 'bob', 'SVCO-0', null])
      await query.migrate.down(to(before + 1))
      expect(await query('step_up_approvals').first()).to.not.have.property('counterparty_account_id')
    }
  })
})
