import { expect } from 'chai'
import { createTotpStore } from '../../../../server/store/accounts/totpStore.ts'
import { createUserStore, type User } from '../../../../server/store/accounts/userStore.ts'
import { createOwnerFactsStore } from '../../../../server/store/agents/ownerFactsStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const ADA: User = {
  id: 'ada',
  developerId: 'SVCD-ada',
  email: 'ada@people.io',
  emailVerifiedAt: null,
  fullName: 'Ada',
  accountType: 'individual',
  role: 'user',
  kydVerifiedAt: null,
  createdAt: 1,
}

describe('ownerFactsStore', () => {
  let database: TemporaryDatabase

  before(async () => {
    database = await openTemporaryDatabase()
  })
  after(() => database.remove())

  it('counts a proven address and a confirmed authenticator app, and an app only once it is confirmed', async () => {
    const { query, transaction } = database.db
    const users = createUserStore(query)
    const totp = createTotpStore(query)
    const facts = async () => {
      const found = await createOwnerFactsStore(query).ofOwner(ADA.developerId)
      return [found?.emailVerifiedAt, found?.hasSecondFactor]
    }
    const factor = { userId: ADA.id, sealedSecret: 'x', lastStep: 0, createdAt: 1, confirmedAt: null }
    await transaction((trx) => users.insert(trx, ADA, null))
    expect(await facts()).to.deep.equal([null, false])
    await transaction((trx) => users.verifyEmail(trx, 'ada@people.io', 7))
    await transaction((trx) => totp.enrol(trx, factor, ['hash']))
    expect(await facts()).to.deep.equal([7, false])
    await transaction((trx) => totp.confirm(trx, ADA.id, 8))
    expect(await facts()).to.deep.equal([7, true])
    await transaction((trx) => totp.remove(trx, ADA.id))
    expect(await facts()).to.deep.equal([7, false])
  })
})
