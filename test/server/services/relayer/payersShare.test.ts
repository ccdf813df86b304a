import { expect } from 'chai'
import { BUDGET_SPENT, TOO_DEAR_TODAY } from '../../../../server/services/relayer/budget.ts'
import type { IntentHandler } from '../../../../server/services/relayer/intentHandler.ts'
import { prepareIntents } from '../../../../server/services/relayer/prepareIntents.ts'
import { ME, type Outbox, openOutbox } from './openOutbox.ts'

const DAY_MS = 86_400_000
/** With a quarter added, at 2 wei per gas, each transaction costs 1 gwei. */
const GAS = 400_000_000n
/** An intent of this account costs this many times as much. */
const DEAR = { account: 'costly', times: 5n }
/** An account has 2 gwei of 20, and a network 4. */
const POLICY = { dailyBudgetGwei: 20, maxFeePerGas: 2n, accountShare: 0.1, networkShare: 0.2 }

describe('the shares of the gas of an account and of a network', () => {
  let outbox: Outbox
  before(async () => {
    outbox = await openOutbox()
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  let simulated: string[]
  beforeEach(() => {
    simulated = []
  })
  const handler: IntentHandler = {
    async prepare({ accountId, idempotencyKey }) {
      simulated.push(idempotencyKey)
      const gas = accountId === DEAR.account ? GAS * DEAR.times : GAS
      return { next: 'send', call: { to: ME, data: '0x' }, gas }
    },
  }
  const prepare = (policy = {}) => {
    const { now } = outbox.clock
    const round = outbox.round()
    return prepareIntents(outbox.deps({ 'identity.mint': handler }, { ...POLICY, ...policy }), {
      ...round,
      context: { ...round.context, now },
    })
  }
  const put = async (count: number, payer: { account_id?: string; network?: string }) => {
    const keys: string[] = []
    while (keys.length < count) keys.push(await outbox.put({ kind: 'identity.mint', ...payer }))
    return keys
  }
  const signed = async (keys: string[]) => {
    const rows = await Promise.all(keys.map((key) => outbox.row(key)))
    return rows.filter((row) => row?.status === 'signed').length
  }

  for (const [name, payer, count, reason] of [
    ['an account', { account_id: 'eve' }, 2, BUDGET_SPENT.account],
    ['a network', { network: '203.0.113.0/24' }, 4, BUDGET_SPENT.network],
  ] as const)
    it(`are all that ${name} uses in 24 hours, and the rest follows later`, async () => {
      const keys = await put(count + 2, payer)
      await prepare()
      expect(await signed(keys)).to.equal(count)
      expect(await outbox.row(keys[count] ?? '')).to.deep.include({ status: 'queued', lastError: reason })
      outbox.clock.now += DAY_MS + 1
      await prepare()
      expect(await signed(keys)).to.equal(count + 2)
    })

  it('bound an account over its networks, and a network over its accounts', async () => {
    const spread = []
    for (let nth = 0; nth < 4; nth += 1)
      spread.push(...(await put(1, { account_id: 'eve', network: `203.0.${nth}.0/24` })))
    const many = []
    for (let nth = 0; nth < 6; nth += 1)
      many.push(...(await put(1, { account_id: `account-${nth}`, network: '198.51.100.0/24' })))
    await prepare()
    expect([await signed(spread), await signed(many)]).to.deep.equal([2, 4])
  })

  it('delay nobody else, however much one of them asks for', async () => {
    const flood = await put(150, { account_id: 'eve', network: '203.0.113.0/24' })
    const other = await put(1, { account_id: 'ada', network: '198.51.100.0/24' })
    await prepare()
    await prepare()
    expect([await signed(flood), await signed(other)]).to.deep.equal([2, 1])
  })

  it('come before the day, so that an account that waits for more than its own delays nobody', async () => {
    // Of the day, 15 gwei are for others than anchors.
    const spent = []
    for (let nth = 0; nth < 11; nth += 1) spent.push(...(await put(1, { account_id: `account-${nth}` })))
    await prepare()
    expect(await signed(spent)).to.equal(11)
    const costly = await put(20, { account_id: DEAR.account })
    const others = [...(await put(1, { account_id: 'ada' })), ...(await put(1, { account_id: 'bob' }))]
    simulated = []
    await prepare()
    expect(await signed(others)).to.equal(2)
    expect((await outbox.row(costly[0] ?? '')).lastError).to.equal(BUDGET_SPENT.account)
    expect(simulated).to.deep.equal([costly[0], ...others])
    await prepare()
    expect(simulated, 'nothing of the account is simulated during its pause').to.have.length(3)
  })

  it('may leave too little of the day for one expensive order, which then delays no other', async () => {
    const spent = []
    for (let nth = 0; nth < 11; nth += 1) spent.push(...(await put(1, { account_id: `account-${nth}` })))
    await prepare()
    const [costly = ''] = await put(1, { account_id: DEAR.account })
    const others = await put(2, { account_id: 'ada' })
    const later = await put(3, { account_id: 'bob' })
    await prepare({ accountShare: 0.5 })
    expect(await outbox.row(costly)).to.include({ status: 'queued', lastError: TOO_DEAR_TODAY })
    expect([await signed(others), await signed(later)]).to.deep.equal([2, 2])
    expect((await outbox.row(later[2] ?? '')).lastError).to.equal(BUDGET_SPENT.day)
  })
})
