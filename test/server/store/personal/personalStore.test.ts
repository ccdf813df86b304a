import { expect } from 'chai'
import { createOwnerFactsStore } from '../../../../server/store/agents/ownerFactsStore.ts'
import { createPersonalStore } from '../../../../server/store/personal/personalStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

describe('personalStore', () => {
  let opened: TemporaryDatabase
  before(async () => {
    opened = await openTemporaryDatabase()
  })
  after(() => opened.remove())

  it('keeps unlinked wallets until the agents for which they must not sign are retired', async () => {
    const { query, transaction } = opened.db
    const user = {
      id: 'ada',
      developer_id: 'SVCD-a',
      account_type: 'individual',
      role: 'user',
      created_at: 1,
    }
    await query('users').insert(user)
    await query('unlinked_wallets').insert({ user_id: 'ada', address: '0xaa' })
    const unlinked = async () => (await createOwnerFactsStore(query).walletsOf('SVCD-a')).unlinked
    const personal = createPersonalStore(query)
    const person = { userId: 'ada', developerId: 'SVCD-a', email: null, ownerIds: ['SVCD-a'] }
    await transaction((trx) => personal.deleteRows(trx, person, 'with the identity'))
    expect(await unlinked()).to.deep.equal(['0xaa'])
    await transaction((trx) => personal.deleteRows(trx, person, 'with the rows'))
    expect(await unlinked()).to.deep.equal([])
  })
})
