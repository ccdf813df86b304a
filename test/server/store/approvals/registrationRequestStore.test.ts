import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createRegistrationRequestStore } from '../../../../server/store/approvals/registrationRequestStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const ENDED = Date.UTC(2026, 0, 5)

describe('registrationRequestStore', () => {
  let opened: TemporaryDatabase
  let requests: ReturnType<typeof createRegistrationRequestStore>
  before(async () => {
    opened = await openTemporaryDatabase()
    requests = createRegistrationRequestStore(opened.db.query)
  })
  after(() => opened?.remove())

  /** An outreach to an address, which expired without a decision unless an owner denied it. */
  async function outreach(ownerId: string | null, ends = true): Promise<string> {
    const id = randomUUID()
    const request = {
      ...({ id, kind: 'outreach', ownerId: null, ownerEmail: `${id}@people.io`, apiKeyId: null } as const),
      ...{ registration: '{}', reason: null, challengeSalt: 'salt', createdAt: 0, expiresAt: ENDED },
    }
    await opened.db.transaction(async (trx) => {
      await requests.insert(trx, request)
      await requests.setToken(trx, id, id)
      if (ownerId !== null)
        await requests.deny(trx, { id, ownerId, userId: 'u', reason: null, now: ENDED - 1 })
      else if (ends) await requests.expire(trx, ENDED, 100)
    })
    return id
  }

  const forget = (before: number, most = 100) =>
    opened.db.transaction((trx) => requests.forgetAddresses(trx, before, most))

  it('deletes the address of an ended outreach, and an unclaimed one entirely', async () => {
    const [unanswered, denied] = [await outreach(null), await outreach('SVCD-1')]
    const waiting = await outreach(null, false)
    expect(await forget(ENDED - 1)).to.equal(0)
    expect(await forget(ENDED + 1, 1)).to.equal(1)
    expect(await forget(ENDED + 1)).to.equal(1)
    expect(await forget(ENDED + 1)).to.equal(0)
    expect(await requests.byId(unanswered)).to.equal(null)
    expect(await requests.byId(denied)).to.include({ ownerEmail: null, status: 'denied', ownerId: 'SVCD-1' })
    expect(await requests.byId(waiting)).to.include({ ownerEmail: `${waiting}@people.io` })
    const tokens = await opened.db.query('registration_requests').whereNotNull('token_hash').select('id')
    expect(tokens).to.deep.equal([{ id: waiting }])
  })
})
