import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0147_revoked_accounts')

describe('migration 0147 notes for organisations what their creators unlinked', () => {
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (const id of ['ada', 'bob']) {
      await query('users').insert({
        id,
        developer_id: `SVCD-${id}`,
        account_type: 'individual',
        created_at: 1,
      })
    }
    for (const id of ['SVCO-1', 'SVCO-2']) {
      await query('organizations').insert({ id, name: id, created_by: 'ada', created_at: 1 })
    }
    await query('unlinked_wallets').insert([
      { user_id: 'ada', address: '0xaa' },
      { user_id: 'bob', address: '0xbb' },
    ])
    const noted = async () =>
      (
        await query('revoked_accounts')
          .select('organization_id', 'address')
          .orderBy(['organization_id', 'address'])
      ).map((row) => [row.organization_id, row.address])
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      expect(await noted()).to.deep.equal([
        ['SVCO-1', '0xaa'],
        ['SVCO-2', '0xaa'],
      ])
      // As an earlier release does that runs beside, of an account that is noted for one of the organisations already.
      await query('revoked_accounts').insert({ organization_id: 'SVCO-1', address: '0xcc' })
      await query('unlinked_wallets')
        .insert({ user_id: 'ada', address: '0xcc' })
        .onConflict(['user_id', 'address'])
        .ignore()
      await query('unlinked_wallets').delete().where({ user_id: 'ada', address: '0xcc' })
      expect(await noted()).to.deep.equal([
        ['SVCO-1', '0xaa'],
        ['SVCO-1', '0xcc'],
        ['SVCO-2', '0xaa'],
        ['SVCO-2', '0xcc'],
      ])
      await query('organizations').insert({ id: 'SVCO-3', name: 'Later', created_by: 'bob', created_at: 1 })
      expect((await noted()).slice(4)).to.deep.equal([['SVCO-3', '0xbb']])
      await query('organizations').delete().where({ id: 'SVCO-3' })
      await query.migrate.down(to(BEFORE + 1))
      expect(await query.schema.hasTable('revoked_accounts')).to.equal(false)
      await query('unlinked_wallets').insert({ user_id: 'ada', address: '0xdd' })
      await query('unlinked_wallets').delete().where({ address: '0xdd' })
    }
  }

  onBothDatabases(walk)
})
