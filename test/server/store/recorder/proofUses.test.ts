import { expect } from 'chai'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import type { Recorder } from '../../../../server/store/recorder/recorder.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'

const EXPIRES_AT = Date.UTC(2026, 0, 5)
/** Races at a time. */
const BATCH = 500

for (const { kind, recorders, races } of [
  { kind: 'sqlite', recorders: 1, races: 10_000 },
  { kind: 'postgres', recorders: 2, races: 10_000 },
] as const)
  describe(`proofs that race for ${recorders === 1 ? 'a recorder' : 'two recorders'} on ${kind}`, () => {
    let temporary: TemporaryDatabase
    let opened: Recorder[] = []

    before(async function () {
      if (kind === 'postgres' && !testsPostgres) this.skip()
      temporary = await openTemporaryDatabase(kind)
      opened = Array.from({ length: recorders }, () => temporary.openRecorder())
    })
    after(async () => {
      await Promise.all(opened.map((recorder) => recorder.close()))
      await temporary?.remove()
    })

    const present = async (proof: string, at: number) =>
      opened[at % recorders]?.record({
        ...{ counters: null, approval: null, proofs: [proof] },
        decide(_counters, _approval, earlierUses) {
          const isFirst = !earlierUses.has(proof)
          const usedProofs = isFirst ? [{ proof, expiresAt: EXPIRES_AT, reusableFor: null }] : []
          return { ...commitmentOf([], isFirst), usedProofs }
        },
      })

    it(`are good once, in each of ${races} races`, async () => {
      const wins = new Map<number, number>()
      for (let from = 0; from < races; from += BATCH) {
        const nths = Array.from({ length: BATCH }, (_, index) => from + index)
        await Promise.all(
          nths.map(async (nth) => {
            // Alternately, so that each recorder is first as often as the other.
            const results = await Promise.all([
              present(`proof ${nth}`, nth),
              present(`proof ${nth}`, nth + 1),
            ])
            const won = results.filter(Boolean).length
            wins.set(won, (wins.get(won) ?? 0) + 1)
          }),
        )
      }
      expect(Object.fromEntries(wins)).to.deep.equal({ 1: races })
    })

    const use = (reusableFor: string | null, expiresAt: number) =>
      opened[0]?.record({
        ...{ counters: null, approval: null, proofs: ['held'] },
        decide: (_counters, _approval, earlierUses) => ({
          ...commitmentOf([buildRecord()], earlierUses.get('held')),
          usedProofs: [{ proof: 'held', expiresAt, reusableFor, wasHeld: earlierUses.has('held') }],
        }),
      })

    it('are kept for the longest of the approvals for which their request is held, and once used up stay so', async () => {
      expect(await use('first', 2_000)).to.equal(undefined)
      expect(await use('second', 3_000)).to.deep.equal({ reusableFor: 'first', expiresAt: 2_000 })
      expect(await use('third', 1_000)).to.deep.equal({ reusableFor: 'second', expiresAt: 3_000 })
      expect(await use(null, 1_000)).to.deep.equal({ reusableFor: 'third', expiresAt: 3_000 })
      expect(await use('fourth', 4_000)).to.include({ reusableFor: null })
      expect(await use(null, 1_000)).to.include({ reusableFor: null })
    })
  })
