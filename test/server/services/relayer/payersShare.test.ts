import { expect } from 'chai'
import { BUDGET_SPENT } from '../../../../server/services/relayer/budget.ts'
import type { IntentHandler } from '../../../../server/services/relayer/intentHandler.ts'
import { prepareIntents } from '../../../../server/services/relayer/prepareIntents.ts'
import { ME, type Outbox, openOutbox } from './openOutbox.ts'

const DAY_MS = 86_400_000
/** With a quarter added, at 2 wei per gas, each transaction costs 1 gwei. */
const GAS = 400_000_000n
/** An account has 2 gwei of 20, and a network 4. */
const POLICY = { dailyBudgetGwei: 20, maxFeePerGas: 2n, accountShare: 0.1, networkShare: 0.2 }

describe('the shares of the gas of an account and of a network', () => {
  let outbox: Outbox
  before(async () => {
    outbox = await openOutbox()
  })
  afterEach(() => outbox.clear())
  after(() => outbox?.remove())

  const handler: IntentHandler = {
    prepare: async () => ({ next: 'send', call: { to: ME, data: '0x' }, gas: GAS }),
  }
  const prepare = () => {
    const { now } = outbox.clock
    const round = outbox.round()
    return prepareIntents(outbox.deps({ 'identity.mint': handler }, POLICY), {
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
})
