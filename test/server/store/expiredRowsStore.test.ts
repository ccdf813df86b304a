import { expect } from 'chai'
import { createAttemptStore } from '../../../server/store/attemptStore.ts'
import { createExpiredRowsStore } from '../../../server/store/expiredRowsStore.ts'
import { createIdempotencyStore } from '../../../server/store/idempotencyStore.ts'
import { createMailOutboxStore } from '../../../server/store/mailOutboxStore.ts'
import { createNonceStore } from '../../../server/store/nonceStore.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../../harness/temporaryDatabase.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 5)

describe('expiredRowsStore', () => {
  let opened: TemporaryDatabase
  beforeEach(async () => {
    opened = await temporaryDatabase()
  })
  afterEach(() => opened.remove())

  const expire = (now: number, most = 100) =>
    opened.db.transaction((trx) => createExpiredRowsStore().delete(trx, now, most))
  const left = async (table: string) => (await opened.db.query(table).select()).length

  async function addMails(count: number): Promise<void> {
    const mails = createMailOutboxStore()
    for (let nth = 1; nth <= count; nth += 1) {
      const mail = { key: `mail-${nth}`, recipient: 'a@b.io', template: 't', data: {}, expiresAt: null }
      await opened.db.transaction((trx) => mails.add(trx, { ...mail, now: NOW }))
    }
  }
  const settle = async () => {
    const rows = await opened.db.query('mail_outbox').select('id')
    for (const { id } of rows) {
      await opened.db.transaction((trx) =>
        createMailOutboxStore().settle(trx, id, { status: 'sent', error: null, now: NOW }),
      )
    }
  }

  it('keeps a mail until 30 days after it was settled, and one that waits for ever', async () => {
    await addMails(1)
    await settle()
    await addMails(2)
    await expire(NOW + 30 * DAY)
    expect(await left('mail_outbox')).to.equal(2)
    expect(await expire(NOW + 30 * DAY + 1)).to.equal(1)
    expect(await left('mail_outbox')).to.equal(1)
  })

  it('forgets counts, keys and nonces when their time is over, without anybody coming', async () => {
    const { db } = opened
    const counts = { taken: 1, windowEndsAt: 0, locks: 0, lockedUntil: 0, forgetAt: NOW + DAY }
    await db.transaction((trx) => createAttemptStore().put(trx, 'login:a', counts, NOW))
    await createNonceStore().take(db.query, { address: '0xa', nonce: 'n', expiresAt: NOW + DAY }, NOW)
    const claim = { caller: 'c', key: 'k', claimId: 'id', fingerprint: 'f', claimedAt: NOW }
    await createIdempotencyStore(db.query).claim(claim)
    expect(await expire(NOW + DAY)).to.equal(0)
    expect(await expire(NOW + DAY + 1)).to.equal(3)
    for (const table of ['attempts', 'request_nonces', 'idempotency_keys']) {
      expect(await left(table)).to.equal(0)
    }
  })

  it('takes no more than so many at once', async () => {
    await addMails(3)
    await settle()
    expect(await expire(NOW + 31 * DAY, 2)).to.equal(2)
    expect(await expire(NOW + 31 * DAY, 2)).to.equal(1)
  })
})
