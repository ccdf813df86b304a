import { expect } from 'chai'
import { createRateBudget } from '../../../../server/middleware/rateBudget.ts'
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

  it('delete ended windows', async () => {
    await budgets()[0]?.take('somebody', NOW + 10 * 60_000)
    await budgets()[0]?.take('somebody', NOW + 10 * 60_000)
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
    expect(await codes([Promise.resolve(budget?.take('a', NOW))])).to.deep.equal(['SERVICE_UNAVAILABLE'])
    await temporary.db.query.raw('ALTER TABLE rate_windows_away RENAME TO rate_windows')
    await cut()
    const outcomes = []
    while (outcomes.at(-1) !== 'taken')
      outcomes.push(...(await codes([Promise.resolve(budget?.take('a', NOW))])))
    expect(outcomes.length).to.be.below(20)
  })
})
