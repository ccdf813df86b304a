import { expect } from 'chai'
import { createDeploymentTransactionStore } from '../../../../server/store/relayer/deploymentTransactionStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

describe('createDeploymentTransactionStore', () => {
  let database: TemporaryDatabase
  before(async () => {
    database = await openTemporaryDatabase()
  })
  after(() => database.remove())

  it('finds the newest transaction of a call, and the hashes of all that it replaces', async () => {
    const { db } = database
    const store = createDeploymentTransactionStore(db.query)
    const first = { hash: '0x01', nonce: 3, raw: '0xaa', headBlock: 7, formerHashes: [] } as const
    await db.transaction((trx) => store.insert(trx, '0xca11', first))
    expect(await store.find('0xca11')).to.deep.equal(first)
    const third = { ...first, hash: '0x03', raw: '0xcc', formerHashes: ['0x01', '0x02'] } as const
    await db.transaction((trx) => store.replace(trx, '0xca11', third))
    expect(await store.find('0xca11')).to.deep.equal(third)
  })
})
