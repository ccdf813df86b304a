import { expect } from 'chai'
import { BUDGET_SPENT } from '../../../../server/services/relayer/budget.ts'
import type { IntentHandler } from '../../../../server/services/relayer/intentHandler.ts'
import { prepareIntents } from '../../../../server/services/relayer/prepareIntents.ts'
import { ME, NOW, type Outbox, openOutbox } from './openOutbox.ts'

const DAY_MS = 86_400_000
/** With a quarter added, at 2 wei per gas, each transaction costs 1 gwei. */
const GAS = 400_000_000n
/** The third of strangers is 3 gwei. */
const POLICY = { dailyBudgetGwei: 9, maxFeePerGas: 2n }

describe('the strangers’ share of the gas', () => {
  let outbox: Outbox
  let asked: string[]
  before(async () => {
    outbox = await openOutbox()
  })
  beforeEach(() => {
    asked = []
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const handler: IntentHandler = {
    async prepare({ idempotencyKey }) {
      asked.push(idempotencyKey)
      return { next: 'send', call: { to: ME, data: '0x' }, gas: GAS }
    },
  }
  const kinds = ['identity.mint', 'identity.setUri', 'nonce.fill']
  const prepare = () => {
    const { now } = outbox.clock
    const round = outbox.round()
    return prepareIntents(outbox.deps(Object.fromEntries(kinds.map((kind) => [kind, handler])), POLICY), {
      ...round,
      context: { ...round.context, now },
    })
  }
  const put = (strangerId: string | null, kind = 'identity.mint') =>
    outbox.put({ kind, stranger_id: strangerId })
  const putStrangers = async (count: number) => {
    const keys = []
    for (let nth = 0; nth < count; nth += 1) keys.push(await put(`stranger-${nth}`))
    return keys
  }
  const statusOf = async (key: string) => (await outbox.row(key)).status
  const signed = async (keys: readonly string[]) => {
    const statuses = await Promise.all(keys.map(statusOf))
    return keys.filter((_, nth) => statuses[nth] === 'signed')
  }

  it('is a third of the day’s gas, and a known owner’s registration is minted all the same', async () => {
    const strangers = await putStrangers(5)
    const known = await put(null)
    expect(await prepare()).to.equal(4)
    expect(await signed(strangers)).to.deep.equal(strangers.slice(0, 3))
    expect(await statusOf(known)).to.equal('signed')
    expect(await outbox.row(strangers[3] ?? '')).to.deep.include({
      status: 'queued',
      lastError: BUDGET_SPENT.strangers,
      nextAttemptAt: NOW + 10_000,
    })
  })

  it('covers everything that the relayer sends for agents of strangers', async () => {
    const keys = []
    for (const kind of ['identity.mint', 'identity.setUri']) {
      for (let nth = 0; nth < 2; nth += 1) keys.push(await put('stranger', kind))
    }
    await prepare()
    expect(await signed(keys)).to.have.length(3)
  })

  it('delays nobody else, however many strangers wait', async () => {
    const strangers = await putStrangers(250)
    const known = await put(null)
    await prepare()
    expect([await signed(strangers), await statusOf(known)]).to.deep.equal([strangers.slice(0, 3), 'signed'])
  })

  it('is not asked for again before the pause is over', async () => {
    await putStrangers(6)
    await prepare()
    asked.length = 0
    await prepare()
    expect(asked).to.deep.equal([])
    outbox.clock.now += 10_000
    await prepare()
    expect(asked).to.have.length(1)
  })

  it('is given out in the order of the registrations as the day passes, so that none is lost', async () => {
    const strangers = await putStrangers(8)
    for (const count of [3, 6, 8]) {
      await prepare()
      expect(await signed(strangers)).to.deep.equal(strangers.slice(0, count))
      outbox.clock.now += DAY_MS + 1
    }
  })

  it('is left unused by strangers if the others have spent the day’s gas', async () => {
    const others = []
    for (let nth = 0; nth < 7; nth += 1) others.push(await put(null))
    const stranger = await put('stranger')
    await prepare()
    expect(await signed(others)).to.have.length(6)
    expect(await statusOf(stranger)).to.equal('queued')
    expect(await outbox.stores.outbox.isAnyDeferred(BUDGET_SPENT.day)).to.equal(true)
  })

  it('no longer concerns a stranger whose identity is verified', async () => {
    const strangers = await putStrangers(5)
    await prepare()
    const { db, stores } = outbox
    await db.transaction((trx) => stores.outbox.releaseStranger(trx, 'stranger-4', outbox.clock.now))
    await prepare()
    expect(await signed(strangers)).to.deep.equal([...strangers.slice(0, 3), strangers[4]])
  })
})
