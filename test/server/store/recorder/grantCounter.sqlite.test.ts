import Database from 'better-sqlite3'
import { expect } from 'chai'
import fc from 'fast-check'
import { createGrantCounter } from '../../../../server/store/recorder/grantCounter.sqlite.ts'

const WINDOW_MS = 1000

function open() {
  const database = new Database(':memory:')
  database.exec(`CREATE TABLE transaction_grants (
    scope TEXT NOT NULL, granted_at BIGINT NOT NULL, ordinal BIGINT NOT NULL, PRIMARY KEY (scope, granted_at, ordinal)
  ) WITHOUT ROWID`)
  const rows = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM transaction_grants')
  return { database, counter: createGrantCounter(database), kept: () => rows.get()?.n ?? 0 }
}

function deleteOld(database: Database.Database, until: number, most: number): void {
  const some =
    'SELECT scope, granted_at, ordinal FROM transaction_grants WHERE granted_at <= ? ORDER BY ordinal DESC LIMIT ?'
  database
    .prepare(`DELETE FROM transaction_grants WHERE (scope, granted_at, ordinal) IN (${some})`)
    .run(until, most)
}

describe('the counter of grants', () => {
  it('counts the same as a list of all grants, even if the clock is set back, a group rolled back or old rows deleted', () => {
    const step = fc.record({
      forward: fc.integer({ min: -300, max: 700 }),
      adds: fc.integer({ min: 0, max: 4 }),
      scope: fc.constantFrom('a', 'b'),
      end: fc.constantFrom('commit', 'commit', 'rollback', 'restart', 'delete'),
      deletes: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { database, counter: first } = open()
        let counter = first
        let all: { scope: string; at: number }[] = []
        let [now, since] = [10_000, 0]
        for (const { forward, adds, scope, end, deletes } of steps) {
          now += forward
          since = Math.max(since, now - WINDOW_MS)
          const before = [...all]
          database.exec('BEGIN')
          for (let nth = 0; nth <= adds; nth += 1) {
            const naive = all.filter((grant) => grant.scope === scope && grant.at > since).length
            expect(counter.count(scope, since)).to.equal(naive)
            if (nth === adds) break
            counter.add({ scope, grantedAt: now, since })
            // No grant is older than the previous one.
            const last = all.filter((grant) => grant.scope === scope).at(-1)?.at ?? 0
            all.push({ scope, at: Math.max(now, last) })
          }
          database.exec(end === 'rollback' ? 'ROLLBACK' : 'COMMIT')
          if (end === 'rollback') {
            counter.reset()
            all = before
          }
          // The retention job, which knows nothing of the cache, deletes any rows that no window includes.
          if (end === 'delete') deleteOld(database, since, deletes)
          if (end === 'restart') counter = createGrantCounter(database)
        }
        database.close()
      }),
      { numRuns: 300 },
    )
  })

  it('deletes old grants after a long pause in several steps, and does not affect other scopes', () => {
    const { database, counter, kept } = open()
    for (let at = 1; at <= 5000; at += 1) counter.add({ scope: 'busy', grantedAt: at, since: -1 })
    counter.add({ scope: 'other', grantedAt: 1, since: -1 })
    const now = 100_000
    const since = now - WINDOW_MS
    const left: number[] = []
    for (let added = 0; added < 1000; added += 1) {
      expect(counter.count('busy', since)).to.equal(added)
      counter.add({ scope: 'busy', grantedAt: now, since })
      left.push(kept())
    }
    const drops = left.slice(1).map((rows, index) => (left[index] ?? 0) + 1 - rows)
    expect(Math.max(...drops)).to.be.within(500, 513)
    expect(left.at(-1)).to.equal(1 + 1000)
    database.close()
  })

  it('stores little more than the window for a steady stream', () => {
    const { database, counter, kept } = open()
    for (let at = 1; at <= 10_000; at += 1)
      counter.add({ scope: 'steady', grantedAt: at, since: at - WINDOW_MS })
    expect(kept()).to.be.within(WINDOW_MS, WINDOW_MS + 100)
    database.close()
  })

  it('counts correctly for more scopes than its cache holds', () => {
    const { database, counter } = open()
    const scopes = Array.from({ length: 20_100 }, (_, nth) => `scope ${nth}`)
    for (const round of [0, 1]) {
      database.exec('BEGIN')
      const counts = scopes.map((scope) => {
        const count = counter.count(scope, 0)
        counter.add({ scope, grantedAt: 1, since: 0 })
        return count
      })
      database.exec('COMMIT')
      expect(counts.every((count) => count === round)).to.equal(true)
    }
    database.close()
  })
})
