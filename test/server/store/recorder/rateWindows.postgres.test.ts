import { expect } from 'chai'
import { createNestedBudget, createRateBudget } from '../../../../server/middleware/rateBudget.ts'
import {
  createSharedRateWindows,
  type SharedRateWindows,
} from '../../../../server/store/recorder/rateWindows.postgres.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'

const NOW = Date.UTC(2026, 0, 5)
/** Time only moves forward: what has ended is deleted after a call has been answered, perhaps during the next test. */
const LATER = NOW + 3 * 60_000
const RULE = { name: 'verify', max: 100, windowSeconds: 60 }

describe('rate budgets of several processes', () => {
  let temporary: TemporaryDatabase
  let url: string
  let windows: SharedRateWindows[]

  before(async function () {
    if (!testsPostgres) this.skip()
    temporary = await openTemporaryDatabase('postgres')
    url = temporary.files.databaseUrl ?? ''
    windows = [createSharedRateWindows(url), createSharedRateWindows(url)]
  })
  after(async () => {
    await Promise.all((windows ?? []).map((one) => one.close()))
    await temporary?.remove()
  })

  const budgets = () => windows.map(({ take }) => createRateBudget(RULE, take))
  const codes = (calls: Promise<unknown>[]) =>
    Promise.all(
      calls.map((call) =>
        call.then(
          () => 'taken',
          ({ code }) => String(code),
        ),
      ),
    )

  it('admit exactly as many calls as the budget has, whichever process they reach', async () => {
    const both = budgets()
    const calls = Array.from({ length: 400 }, async (_, nth) => {
      if (nth % 3 === 0) await new Promise(setImmediate)
      return both[nth % 2]?.take(`key-${nth % 2}`, NOW) ?? {}
    })
    const outcomes = await codes(calls)
    expect(outcomes.filter((outcome) => outcome === 'taken')).to.have.length(200)
    expect(outcomes.filter((outcome) => outcome === 'RATE_LIMITED')).to.have.length(200)
  })

  it('count down for a caller of both, and restart when the window has ended', async () => {
    const [here, there] = budgets()
    const left = async (budget: typeof here, now: number) => (await budget?.take('caller', now))?.RateLimit
    expect(await left(here, NOW)).to.equal('"verify";r=99;t=60')
    expect(await left(there, NOW + 15_000)).to.equal('"verify";r=98;t=45')
    expect(await left(here, NOW + 60_000)).to.equal('"verify";r=99;t=60')
  })

  it('admit exactly what the account and the network of many keys have, however the calls arrive together', async () => {
    const rules = [RULE, { ...RULE, name: 'account', max: 150 }, { ...RULE, name: 'network', max: 220 }]
    const both = windows.map(({ take }) => createNestedBudget(rules, take))
    const callersOf = (nth: number) => [`own-${nth % 8}`, `account-${nth % 4 < 2 ? 1 : 2}`, 'network']
    const calls = Array.from({ length: 1_000 }, async (_, nth) => {
      if (nth % 7 === 0) await new Promise(setImmediate)
      return both[nth % 2]?.take(callersOf(nth), LATER) ?? {}
    })
    const outcomes = await codes(calls)
    const takenOf = (has: (callers: readonly string[]) => boolean) =>
      outcomes.filter((outcome, nth) => outcome === 'taken' && has(callersOf(nth))).length
    expect(takenOf(() => true)).to.equal(220)
    for (const account of ['account-1', 'account-2']) {
      expect(takenOf((callers) => callers[1] === account)).to.be.within(70, 150)
    }
    const rows = await temporary.db.query('rate_windows').select('budget', 'caller', 'taken')
    const counted = (budget: string) =>
      rows.filter((row) => row.budget === budget).reduce((sum, { taken }) => sum + Number(taken), 0)
    const keys = rows.filter(({ caller }) => caller.startsWith('own-'))
    expect(keys.map(({ taken }) => Number(taken))).to.deep.equal(Array(8).fill(125))
    // Of the 125 calls of each key, only the 100 that it may make reach its account.
    expect(counted('account')).to.equal(800)
    expect(counted('network')).to.equal(300)
  })

  it('admit other keys of an account whose one key is exhausted', async () => {
    const rules = [
      { ...RULE, name: 'busy', max: 10 },
      { ...RULE, name: 'busy-account', max: 20 },
    ]
    const [one] = windows.map(({ take }) => createNestedBudget(rules, take))
    const call = async (key: string) => one?.take([key, 'account'], LATER)
    const keys = [...Array(50).fill('busy'), ...Array(10).fill('calm'), 'late']
    const outcomes = await codes(keys.map(call))
    const taken = keys.filter((_, nth) => outcomes[nth] === 'taken')
    expect(taken).to.deep.equal([...Array(10).fill('busy'), ...Array(10).fill('calm')])
  })

  it('delete ended windows', async () => {
    await budgets()[0]?.take('somebody', LATER + 10 * 60_000)
    await budgets()[0]?.take('somebody', LATER + 10 * 60_000)
    const rows = await temporary.db.query('rate_windows').select('caller')
    expect(rows.map(({ caller }) => caller)).to.deep.equal(['somebody'])
  })

  it('refuse a call with 503 if it cannot be counted', async () => {
    const budget = budgets()[0]
    const cut = () =>
      queryPostgres(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-budgets'",
      )
    await temporary.db.query.raw('ALTER TABLE rate_windows RENAME TO rate_windows_away')
    expect(await codes([Promise.resolve(budget?.take('a', LATER + 11 * 60_000))])).to.deep.equal([
      'SERVICE_UNAVAILABLE',
    ])
    await temporary.db.query.raw('ALTER TABLE rate_windows_away RENAME TO rate_windows')
    await cut()
    const outcomes = []
    while (outcomes.at(-1) !== 'taken')
      outcomes.push(...(await codes([Promise.resolve(budget?.take('a', LATER + 11 * 60_000))])))
    expect(outcomes.length).to.be.below(20)
  })
})
