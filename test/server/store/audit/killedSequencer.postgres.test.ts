import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { openSequencer } from '../../../../server/store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../../../../server/store/database/databaseFeatures.ts'
import type { Recorder } from '../../../../server/store/recorder/recorder.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { readPlacedRecords } from '../../../harness/database/readPlacedRecords.ts'
import { faultMode } from '../../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'

const CHILD = new URL('../../../harness/database/placeUntilStatement.ts', import.meta.url).pathname
/** Kills with each set of features. */
const KILLS = { none: 20, short: 60, full: 500 }[faultMode]
/** More than a sequencer sends for two chunks. */
const STATEMENTS = 11
const PHASES = ['sent', 'answered'] as const
const DAY_MS = 86_400_000

for (const featureSet of FEATURE_SETS) {
  describe(`sequencers that are killed at each of their statements, with ${featureSet} features`, function () {
    this.timeout(60_000 + KILLS * 3_000)
    let temporary: TemporaryDatabase
    let url: string
    let recorders: Recorder[]

    before(async function () {
      if (!testsPostgres) this.skip()
      temporary = await openTemporaryDatabase('postgres', featureSet)
      url = temporary.files.databaseUrl ?? ''
      recorders = [temporary.openRecorder(), temporary.openRecorder()]
    })
    after(async () => {
      await Promise.all((recorders ?? []).map((each) => each.close()))
      await temporary?.remove()
    })

    /** Runs a sequencer until it kills itself. */
    async function placeAndDie(kill: number, offsetMs: number): Promise<void> {
      const nth = 1 + (Math.floor(kill / PHASES.length) % STATEMENTS)
      const args = [CHILD, url, featureSet, String(nth), PHASES[kill % PHASES.length] ?? 'sent']
      const child = spawn(process.execPath, [...args, String(offsetMs)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [, signal] = await once(child, 'exit')
      expect(signal, args.slice(3).join(' ')).to.equal('SIGKILL')
    }

    it('place every record once, without a gap, whatever their clocks say', async () => {
      const answered: string[] = []
      const record = async (nth: number) => {
        // One of the recorders is a day ahead of the other.
        const own = [buildRecord({}, Date.now() + (nth % 2) * DAY_MS), buildRecord()]
        await recorders[nth % 2]?.record({
          counters: null,
          approval: null,
          decide: () => commitmentOf(own, null),
        })
        answered.push(...own.map(({ recordId }) => recordId))
      }
      for (let kill = 0; kill < KILLS; kill += 2) {
        await Promise.all([
          ...Array.from({ length: 6 }, (_, nth) => record(nth)),
          placeAndDie(kill, 0),
          placeAndDie(kill + 1, -DAY_MS),
        ])
      }
      const { locks } = chooseFeatures(featureSet)
      const sequencer = openSequencer(url, { locks })
      await sequencer.placeAll()
      await sequencer.close()
      expect((await readPlacedRecords(temporary.db)).toSorted()).to.deep.equal(answered.toSorted())
      expect(await temporary.db.query('pending_records').select('record_id')).to.deep.equal([])
      reportFaultFigure(
        `${KILLS} sequencers, two at a time, killed at their statements 1 to ${STATEMENTS} with ${featureSet} features: ` +
          `${answered.length} records, 0 lost, 0 twice, no gap`,
      )
    })
  })
}
