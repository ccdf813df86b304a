import { expect } from 'chai'
import type { Knex } from 'knex'
import { createRefreshTokenStore } from '../../../../../server/store/accounts/refreshTokenStore.ts'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0088_refresh_grace')

describe('migration 0088 lets the exchange of a refresh token be repeated', () => {
  /** An earlier token stays usable once, and can be replaced. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    const store = createRefreshTokenStore()
    await query.migrate.latest(to(BEFORE))
    const user = { id: 'u', developer_id: 'd', account_type: 'individual', role: 'user', created_at: 1 }
    await query('users').insert(user)
    await query('sessions').insert({ id: 's', user_id: 'u', amr: '[]', authenticated_at: 1 })
    const old = { token_hash: 'old', session_id: 's', created_at: 1, expires_at: 9 }
    await query('refresh_tokens').insert(old)
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      await query.transaction(async (trx) => {
        expect(await store.successorOf(trx, 'old')).to.equal(null)
        const next = { tokenHash: 'next', sessionId: 's', createdAt: 2, expiresAt: 9, usedAt: null }
        await store.insert(trx, { ...next, exchange: { predecessorHash: 'old', masked: 'mask' } })
        expect((await store.successorOf(trx, 'old'))?.masked).to.equal('mask')
        expect(await store.use(trx, 'next', 3)).to.equal(true)
        expect((await store.successorOf(trx, 'old'))?.masked).to.equal(null)
        await trx('refresh_tokens').delete().where({ token_hash: 'next' })
      })
      await query.migrate.down(to(BEFORE + 1))
      expect(await query('refresh_tokens').select('token_hash')).to.deep.equal([{ token_hash: 'old' }])
    }
  }

  onBothDatabases(walk)
})
