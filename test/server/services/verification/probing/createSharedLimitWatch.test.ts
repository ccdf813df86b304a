import { expect } from 'chai'
import type { Searcher } from '../../../../../server/services/verification/probing/createLimitWatch.ts'
import {
  createSharedLimitWatch,
  type SharedLimitWatch,
} from '../../../../../server/services/verification/probing/createSharedLimitWatch.ts'
import { createLimitAnswerStore } from '../../../../../server/store/approvals/limitAnswerStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../../harness/database/openTemporaryDatabase.ts'
import { testedDatabase } from '../../../../harness/database/testedDatabase.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

const HOUR_MS = 3_600_000

describe('createSharedLimitWatch', () => {
  let opened: TemporaryDatabase
  let now: number
  /** The reads and writes of all watches, each a transaction. */
  let transactions: number
  let failures: unknown[]
  let agents = 0
  let agentId: string

  before(async () => {
    opened = await openTemporaryDatabase(testedDatabase)
  })
  after(() => opened.remove())
  beforeEach(() => {
    now = Date.UTC(2026, 10, 27)
    transactions = 0
    failures = []
    agents += 1
    agentId = `SVC-${agents}`
  })

  const openWatch = () => {
    const { query } = opened.db
    return createSharedLimitWatch({
      answers: createLimitAnswerStore(query, 'hard_limit'),
      async transaction(work, changes) {
        const result = await opened.db.transaction(work, changes)
        transactions += 1
        return result
      },
      clock: () => now,
      onFailure: (error) => failures.push(error),
    })
  }
  const searches: Searcher[] = []
  const note = (watch: SharedLimitWatch, amount: number, isOver: boolean, accountId = 'eve') =>
    watch.note({ agentId, accountId, amount, isOver, at: now }, (searcher) => searches.push(searcher))
  /** Notes an answer, and waits until it is judged. */
  const judged = async (...answer: Parameters<typeof note>) => {
    const before = transactions
    searches.length = 0
    note(...answer)
    await waitUntil(async () => (transactions > before ? true : null))
    return searches[0] ?? null
  }
  const storedCount = async () =>
    Number((await opened.db.query('limit_answers').where({ agent_id: agentId }).count({ n: '*' }))[0]?.n)

  it('counts the denials of all processes together', async () => {
    const [one, two] = [openWatch(), openWatch()]
    expect(await judged(one, 900, true)).to.equal(null)
    expect(await judged(two, 800, true)).to.equal(null)
    expect(await judged(one, 700, true)).to.equal('account')
    const [others, further] = [openWatch(), openWatch()]
    expect(await judged(others, 650, true, 'bob')).to.equal(null)
    expect(await judged(further, 600, true, 'cid')).to.equal('several')
  })

  it('loses none of the denials that several processes store simultaneously', async () => {
    const watches = Array.from({ length: 6 }, openWatch)
    searches.length = 0
    for (const [nth, watch] of watches.entries()) note(watch, 900 - nth, true)
    await waitUntil(async () => (transactions === watches.length ? true : null))
    expect(await storedCount()).to.equal(6)
    expect(searches).to.have.length(4)
  })

  it('counts what passed elsewhere, once it knows of the denial there or has read it', async () => {
    const [one, told, started] = [openWatch(), openWatch(), openWatch()]
    await judged(one, 1_000, true)
    told.onDenied(agentId)
    expect(await judged(told, 850, false)).to.equal(null)
    started.reload()
    await waitUntil(async () => {
      note(started, 900, false)
      return searches.includes('account') ? true : null
    })
    expect(await storedCount()).to.equal(3)
  })

  it('costs nothing for agents without a denial, and for what tells nothing new', async () => {
    const watch = openWatch()
    for (const amount of [1, 2, 3]) note(watch, amount, false)
    await judged(watch, 1_000, true)
    await judged(watch, 100, false)
    for (const [amount, account] of [
      [100, 'eve'],
      [99, 'eve'],
      [1_001, 'eve'],
      [50, 'bob'],
    ] as const)
      note(watch, amount, false, account)
    await judged(watch, 999, true)
    expect([transactions, await storedCount()]).to.deep.equal([3, 3])
  })

  it('settles although answers overlap, and judges only the highest of those that passed meanwhile', async () => {
    const watch = openWatch()
    await judged(watch, 1_000, true)
    for (let amount = 1; amount <= 20; amount += 1) note(watch, amount, false)
    note(watch, 900, true)
    await waitUntil(async () => (transactions >= 4 ? true : null))
    await judged(watch, 30, false)
    for (let amount = 1; amount <= 20; amount += 1) note(watch, amount, false)
    await judged(watch, 800, true)
    expect([transactions, await storedCount()]).to.deep.equal([6, 6])
  })

  it('stores no more of an account that was noticed', async () => {
    const watch = openWatch()
    for (const amount of [900, 800, 700]) await judged(watch, amount, true)
    for (const amount of [600, 500]) note(watch, amount, true)
    await judged(watch, 400, true, 'bob')
    expect(await storedCount()).to.equal(4)
  })

  it('forgets an agent an hour after the last denial', async () => {
    const watch = openWatch()
    await judged(watch, 900, true)
    await judged(watch, 800, true)
    now += HOUR_MS
    note(watch, 10, false)
    expect(await judged(watch, 700, true)).to.equal(null)
    expect(transactions).to.equal(3)
    now += 1
    expect(await judged(watch, 600, true)).to.equal(null)
    expect(await storedCount()).to.equal(2)
  })

  it('judges what passed by the denials of the last hour only', async () => {
    const watch = openWatch()
    await judged(watch, 100, true)
    now += HOUR_MS / 2
    await judged(watch, 1_000, true)
    now += HOUR_MS / 2
    expect(await judged(watch, 850, false)).to.equal(null)
    expect(await judged(watch, 950, false)).to.equal('account')
  })

  it('reports that an answer could not be stored', async () => {
    const watch = createSharedLimitWatch({
      answers: createLimitAnswerStore(opened.db.query, 'hard_limit'),
      transaction: async () => {
        throw new Error('the disk is full')
      },
      clock: () => now,
      onFailure: (error) => failures.push(error),
    })
    note(watch, 900, true)
    await waitUntil(async () => (failures.length > 0 ? true : null))
    expect(failures).to.have.length(1)
  })
})
