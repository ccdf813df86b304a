import Database from 'better-sqlite3'
import { expect } from 'chai'
import fc from 'fast-check'
import { createRecentProofs } from '../../../../server/store/recorder/recentProofs.sqlite.ts'

const LIFE_MS = 60_000

function open() {
  const database = new Database(':memory:')
  database.exec(`CREATE TABLE recent_proofs (position INTEGER PRIMARY KEY, proof TEXT NOT NULL, expires_at INTEGER NOT NULL);
    CREATE TABLE used_proofs (proof TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, attempt_id TEXT) WITHOUT ROWID`)
  const count = (table: string) =>
    database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n
  return {
    database,
    proofs: createRecentProofs(database),
    kept: () => [count('recent_proofs'), count('memory.proofs')],
    restart() {
      database.exec('DETACH DATABASE memory')
      return createRecentProofs(database)
    },
  }
}

describe('the recent uses of proofs', () => {
  it('are all found until they expire, as in a list, also after a rollback or a restart', () => {
    const step = fc.record({
      forward: fc.integer({ min: 0, max: LIFE_MS / 2 }),
      adds: fc.integer({ min: 0, max: 90 }),
      end: fc.constantFrom('commit', 'commit', 'rollback', 'restart'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { database, proofs: first, restart } = open()
        let proofs = first
        let all: { proof: string; expiresAt: number }[] = []
        let [now, last] = [1_000_000, 0]
        for (const { forward, adds, end } of steps) {
          now += forward
          const before = all
          database.exec('BEGIN')
          for (let nth = 0; nth < adds; nth += 1) {
            last += 1
            const use = { proof: `proof ${last}`, expiresAt: now + (nth % 2 ? LIFE_MS : LIFE_MS / 4) }
            expect(proofs.find(use.proof)).to.equal(undefined)
            proofs.use({ ...use, reusableFor: null }, now)
            all = [...all, use]
          }
          database.exec(end === 'rollback' ? 'ROLLBACK' : 'COMMIT')
          if (end === 'rollback') {
            for (const { proof } of all.slice(before.length)) expect(proofs.isRecent(proof)).to.equal(false)
            all = before
          }
          if (end === 'restart') proofs = restart()
          for (const { proof } of all.filter(({ expiresAt }) => expiresAt >= now)) {
            expect(proofs.find(proof)).to.deep.equal({ reusableFor: null, expiresAt: null })
            expect(proofs.isRecent(proof)).to.equal(true)
          }
        }
        database.close()
      }),
      { numRuns: 60 },
    )
  })

  it('are deleted on disk and in memory after they expire, as others arrive', () => {
    const { database, proofs, kept } = open()
    for (let nth = 0; nth < 1_000; nth += 1)
      proofs.use({ proof: `early ${nth}`, expiresAt: 1_000, reusableFor: null }, 1)
    expect(kept()).to.deep.equal([1_000, 1_000])
    for (let nth = 0; nth < 128; nth += 1)
      proofs.use({ proof: `late ${nth}`, expiresAt: 5_000, reusableFor: null }, 2_000)
    const [stored, remembered] = kept()
    expect(stored).to.equal(remembered).and.to.be.within(128, 192)
    database.close()
  })

  it('that expire late keep earlier ones only until they expire themselves', () => {
    const { database, proofs, kept } = open()
    proofs.use({ proof: 'late', expiresAt: 3_000, reusableFor: null }, 1)
    for (let nth = 0; nth < 100; nth += 1)
      proofs.use({ proof: `early ${nth}`, expiresAt: 1_000, reusableFor: null }, 1)
    for (let nth = 0; nth < 64; nth += 1)
      proofs.use({ proof: `next ${nth}`, expiresAt: 9_000, reusableFor: null }, 2_000)
    expect(kept()).to.deep.equal([165, 165])
    for (let nth = 0; nth < 64; nth += 1)
      proofs.use({ proof: `last ${nth}`, expiresAt: 9_000, reusableFor: null }, 4_000)
    expect(kept()).to.deep.equal([128, 128])
    database.close()
  })

  it('of a held request are kept with its approval', () => {
    const { database, proofs, kept } = open()
    proofs.use({ proof: 'held', expiresAt: 1_000, reusableFor: 'a' }, 1)
    expect(proofs.find('held')).to.deep.equal({ reusableFor: 'a', expiresAt: 1_000 })
    expect(proofs.isRecent('held')).to.equal(false)
    expect(kept()).to.deep.equal([0, 0])
    database.close()
  })
})
