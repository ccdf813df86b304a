import { expect } from 'chai'
import { readDecisionStatistics } from '../../../../server/services/activity/readDecisionStatistics.ts'

const NOW = Date.UTC(2026, 10, 24, 13, 30)
const TODAY = Math.floor(NOW / 86_400_000)

describe('readDecisionStatistics', () => {
  const asked: unknown[][] = []
  /** As many daily counts of counterparts as may be read. */
  let others = 0
  const decisions = {
    async outcomes(...look: unknown[]) {
      asked.push(look)
      return []
    },
    async days(_: string, facet: string, page: { fromDay: number; limit: number }) {
      asked.push([facet, page.fromDay])
      const stored = Array.from({ length: others }, (_, nth) => ({ name: `SVC-${nth % 10}`, decisions: 1 }))
      return facet === 'counterpart' ? stored.slice(0, page.limit) : []
    },
    async lastAt() {
      return null
    },
  }
  const read = (catchUp: () => Promise<unknown> = async () => 7) =>
    readDecisionStatistics({ decisions, catchUp }, { subjectId: 'SVC-a', now: NOW })

  it('reads today and the 29 days before, in UTC', async () => {
    asked.length = 0
    expect((await read()).since).to.equal('2026-10-26T00:00:00.000Z')
    expect(asked).to.deep.equal([
      ['SVC-a', (TODAY - 29) * 24],
      ['dimension', TODAY - 29],
      ['counterpart', TODAY - 29],
    ])
  })

  it('reads a bounded number of counts, and says if there are more', async () => {
    others = 20_000
    expect((await read()).areCounterpartsComplete).to.equal(true)
    others = 30_000
    const { counterparts, areCounterpartsComplete } = await read()
    expect([counterparts[0], areCounterpartsComplete]).to.deep.equal([{ id: 'SVC-0', count: 2_000 }, false])
  })

  it('fails rather than count too little while the feed is behind', async () => {
    const behind = new Error('the feed is behind the log')
    const failure = await read(() => Promise.reject(behind)).catch((error: unknown) => error)
    expect(failure).to.equal(behind)
  })
})
