import Database from 'better-sqlite3'
import { expect } from 'chai'
import fc from 'fast-check'
import { createGrantCounter } from '../../../server/store/grantCounter.sqlite.ts'

const WINDOW_MS = 1000

function open() {
  const database = new Database(':memory:')
  database.exec(`CREATE TABLE transaction_grants (
    scope TEXT NOT NULL, granted_at BIGINT NOT NULL, ordinal BIGINT NOT NULL, PRIMARY KEY (scope, granted_at, ordinal)
  ) WITHOUT ROWID`)
  const rows = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM transaction_grants')
  return { database, counter: createGrantCounter(database), kept: () => rows.get()?.n ?? 0 }
}

describe('the counter of grants', () => {
  it('counts what a list of all grants counts, also when the clock is set back', () => {
    const step = fc.record({
      forward: fc.integer({ min: -300, max: 700 }),
      adds: fc.integer({ min: 0, max: 4 }),
      scope: fc.constantFrom('a', 'b'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { database, counter } = open()
        const all: { scope: string; at: number }[] = []
        let [now, since] = [10_000, 0]
        for (const { forward, adds, scope } of steps) {
          now += forward
          since = Math.max(since, now - WINDOW_MS)
          counter.startGroup()
          for (let nth = 0; nth <= adds; nth += 1) {
            const naive = all.filter((grant) => grant.scope === scope && grant.at > since).length
            expect(counter.count(scope, since)).to.equal(naive)
            if (nth === adds) break
            counter.add({ scope, grantedAt: now, since })
            // No grant is older than the one before it.
            const last = all.filter((grant) => grant.scope === scope).at(-1)?.at ?? 0
            all.push({ scope, at: Math.max(now, last) })
          }
        }
        database.close()
      }),
      { numRuns: 300 },
    )
  })

  it('forgets what a long pause has left in several groups, and leaves other scopes alone', () => {
    const { database, counter, kept } = open()
    for (let at = 1; at <= 5000; at += 1) {
      if (at % 100 === 1) counter.startGroup()
      counter.add({ scope: 'busy', grantedAt: at, since: -1 })
    }
    counter.startGroup()
    counter.add({ scope: 'other', grantedAt: 1, since: -1 })
    const now = 100_000
    const left: number[] = []
    for (let group = 0; group < 12; group += 1) {
      counter.startGroup()
      expect(counter.count('busy', now - WINDOW_MS)).to.equal(group)
      counter.add({ scope: 'busy', grantedAt: now, since: now - WINDOW_MS })
      left.push(kept())
    }
    expect(left[0]).to.be.within(4000, 4999)
    expect(left.at(-1)).to.equal(1 + 12)
    database.close()
  })
})
