import { expect } from 'chai'
import { forgetPayers } from '../../../../server/store/relayer/forgetPayers.ts'
import { type Outbox, openOutbox } from '../../services/relayer/openOutbox.ts'

const DAY_MS = 86_400_000
const PAYER = { account_id: 'eve', network: '203.0.113.0/24', stranger_id: 'eve' }
const NOBODY = { accountId: null, network: null, strangerId: null }

describe('forgetPayers', () => {
  let outbox: Outbox
  before(async () => {
    outbox = await openOutbox()
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const forget = (limit = 10) => {
    const before = outbox.clock.now - DAY_MS
    return outbox.db.transaction((trx) => forgetPayers(trx, before, limit))
  }
  const pay = async (signedAt: readonly number[], columns: object = { settled_at: 1 }) => {
    const key = await outbox.put({ ...PAYER, ...columns })
    for (const [nth, at] of signedAt.entries())
      await outbox.putTransaction(key, { signedAt: at, hash: `0x${key}${nth}` })
    return key
  }
  const payerOf = async (key: string) => {
    const { accountId, network, strangerId } = await outbox.row(key)
    return { accountId, network, strangerId }
  }

  it('removes who paid and from which network, once it counts for no share', async () => {
    const start = outbox.clock.now
    const key = await pay([start])
    outbox.clock.now = start + DAY_MS
    expect(await forget()).to.equal(0)
    outbox.clock.now += 1
    expect([await forget(), await payerOf(key), await forget()]).to.deep.equal([1, NOBODY, 0])
  })

  it('keeps it for an intent that may still be sent, and for one with a later transaction', async () => {
    const { now } = outbox.clock
    const kept = [await pay([now], { settled_at: null }), await pay([now, now + DAY_MS])]
    outbox.clock.now = now + DAY_MS + 1
    expect(await forget()).to.equal(0)
    for (const key of kept) expect((await payerOf(key)).accountId).to.equal('eve')
  })

  it('removes it however long ago the intent was settled, as after a restore', async () => {
    const key = await pay([outbox.clock.now - 90 * DAY_MS])
    expect([await forget(), await payerOf(key)]).to.deep.equal([1, NOBODY])
  })

  it('removes it from an intent for which nothing was ever sent, a day after it was settled', async () => {
    const { now } = outbox.clock
    const key = await pay([], { settled_at: now, status: 'failed' })
    outbox.clock.now = now + DAY_MS
    expect(await forget()).to.equal(0)
    outbox.clock.now += 1
    expect([await forget(), await payerOf(key)]).to.deep.equal([1, NOBODY])
  })

  for (const [what, columns] of Object.entries({
    'only an owner without a verified identity': { account_id: null, network: null },
    'only a network': { account_id: null, stranger_id: null },
    'only an account': { network: null, stranger_id: null },
  })) {
    it(`removes it from an intent that names ${what}`, async () => {
      const key = await pay([outbox.clock.now], { ...columns, settled_at: 1 })
      outbox.clock.now += DAY_MS + 1
      expect([await forget(), await payerOf(key)]).to.deep.equal([1, NOBODY])
    })
  }

  it('removes as many as it may at a time', async () => {
    for (let nth = 0; nth < 3; nth += 1) await pay([outbox.clock.now])
    outbox.clock.now += DAY_MS + 1
    expect([await forget(2), await forget(2), await forget(2)]).to.deep.equal([2, 1, 0])
  })
})
