import { expect } from 'chai'
import fc from 'fast-check'
import { createLimitWatch } from '../../../../../server/services/verification/probing/createLimitWatch.ts'
import { scaleCaseCount } from '../../../../harness/values/scaleCaseCount.ts'
import { searchByBisection } from '../searchByBisection.ts'

const HOUR_MS = 3_600_000
const PARTIES = { agentId: 'SVC-a', accountId: 'SVCO-a' }

describe('the watch over searches for a limit', () => {
  /** Whether each answer in turn, at the given minutes, looks like a search; amounts from `limit` on are denied. */
  const seen = (limit: number, answers: readonly (readonly [amount: number, minute: number])[]) => {
    const watch = createLimitWatch()
    return answers.map(
      ([amount, minute]) =>
        watch.note({ ...PARTIES, amount, isOver: amount >= limit }, minute * 60_000) !== null,
    )
  }

  it('notices a bisection before it has found more than one decimal digit', async () => {
    const limits = fc.double({ min: 0.01, max: 1e9, noNaN: true })
    await fc.assert(
      fc.asyncProperty(limits, fc.boolean(), async (limit, isFromAbove) => {
        const watch = createLimitWatch()
        const { digits } = await searchByBisection(isFromAbove, async (amount) => {
          const isOver = amount >= limit
          return { isOver, isNoticed: watch.note({ ...PARTIES, amount, isOver }, 0) !== null }
        })
        expect(digits).to.be.at.most(1)
      }),
      { numRuns: scaleCaseCount(1_000) },
    )
  })

  it('notices five denials within one per cent in an hour, and not five that are further apart in time', () => {
    const [five, slow] = [
      [0, 1, 2, 3, 59],
      [0, 1, 2, 3, 61],
    ].map((minutes) =>
      seen(
        100,
        minutes.map((minute) => [minute % 2 === 0 ? 110 : 111, minute] as const),
      ).at(-1),
    )
    expect([five, slow]).to.deep.equal([true, false])
  })

  it('does not take a denial, a repetition of it or purchases around it for a search', () => {
    expect(seen(500, [[520, 0]])).to.deep.equal([false])
    expect(seen(500, [...[520, 520, 520, 520].map((amount) => [amount, 0] as const)])).to.not.include(true)
    expect(
      seen(500, [...[480, 520, 100, 40, 300, 20, 299].map((amount) => [amount, 0] as const)]),
    ).to.not.include(true)
  })

  it('is not distracted by small amounts between the steps', () => {
    const watch = createLimitWatch()
    const note = (amount: number) => watch.note({ ...PARTIES, amount, isOver: amount >= 500 }, 0) !== null
    const noise = () => {
      for (let nth = 0; nth < 50; nth += 1) expect(note(1 + nth / 100)).to.equal(false)
    }
    note(1_000)
    noise()
    expect(note(750)).to.equal(false)
    noise()
    expect(note(600)).to.equal(true)
  })

  it('watches each agent and account by itself, and forgets after an hour', () => {
    const watch = createLimitWatch()
    const deny = (fields: object, amount: number, now: number) =>
      watch.note({ ...PARTIES, ...fields, amount, isOver: true }, now) !== null
    expect(deny({}, 900, 0)).to.equal(false)
    expect(deny({}, 700, 0)).to.equal(false)
    expect(deny({ accountId: 'SVCO-b' }, 600, 0)).to.equal(false)
    expect(deny({ agentId: 'SVC-b' }, 600, 0)).to.equal(false)
    expect(deny({}, 600, HOUR_MS)).to.equal(false)
    expect(deny({}, 800, 2 * HOUR_MS - 1)).to.equal(false)
    expect(deny({}, 700, 2 * HOUR_MS - 1)).to.equal(true)
  })

  it('compares with the denials of the last hour only', () => {
    const watch = createLimitWatch({ countsOnlyLower: true })
    const note = (amount: number, minute: number) =>
      watch.note({ ...PARTIES, amount, isOver: amount >= 100 }, minute * 60_000)
    const seen = [
      [100, 0],
      [1_000, 60],
      [900, 61],
      [800, 62],
    ].map(([amount = 0, minute = 0]) => note(amount, minute))
    expect(seen).to.deep.equal([null, null, null, 'account'])
  })

  it('notices a bisection that any number of accounts share before it has found two and a half decimal digits', async () => {
    const limits = fc.double({ min: 0.01, max: 1e9, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.boolean(),
        fc.integer({ min: 3, max: 50 }),
        async (limit, isFromAbove, accounts) => {
          const watch = createLimitWatch()
          let asked = 0
          const { digits } = await searchByBisection(isFromAbove, async (amount) => {
            const isOver = amount >= limit
            const accountId = `SVCO-${asked++ % accounts}`
            return { isOver, isNoticed: watch.note({ ...PARTIES, accountId, amount, isOver }, 0) !== null }
          })
          expect(digits).to.be.at.most(2.5)
        },
      ),
      { numRuns: scaleCaseCount(1_000) },
    )
  })

  it('does not take four denials at several places for a search while much is open', () => {
    const watch = createLimitWatch()
    const note = (accountId: string, amount: number) =>
      watch.note({ ...PARTIES, accountId, amount, isOver: amount >= 500 }, 0)
    const answers = [
      ['a', 900],
      ['b', 800],
      ['c', 700],
      ['d', 200],
      ['e', 600],
    ] as const
    for (const [accountId, amount] of answers) expect(note(accountId, amount)).to.equal(null)
    expect(note('f', 490)).to.equal('several')
  })

  it('remembers a bounded number of accounts, and forgets the ones that were denied longest ago', () => {
    const watch = createLimitWatch()
    const deny = (accountId: string, amount: number) =>
      watch.note({ agentId: 'SVC-a', accountId, amount, isOver: true }, 0) === 'account'
    for (const account of ['first', 'second']) for (const amount of [900, 800]) deny(account, amount)
    deny('first', 800)
    for (let nth = 0; nth < 19_999; nth += 1) deny(`SVCO-${nth}`, 900)
    expect(deny('first', 700)).to.equal(true)
    expect(deny('second', 700)).to.equal(false)
  })
})
