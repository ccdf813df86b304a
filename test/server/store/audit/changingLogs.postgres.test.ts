import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { openPostgresProjection } from '../../../../server/store/feed/projection.postgres.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { openPlacing, type Placing } from './openPlacing.ts'

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: places on PostgreSQL while the number of logs changes`, () => {
    let placing: Placing

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      placing = await openPlacing(featureSet)
    })
    afterEach(() => placing.close())

    it('are given under the number of logs that there was at their beginning', async () => {
      const logs = createLogStore(placing.db.query)
      const earlier = await placing.connect()
      await earlier.query('BEGIN')
      await earlier.query(placing.takeLock)
      const { recordId, recordedAt, entry } = buildRecord()
      await earlier.query(
        `INSERT INTO audit_records (seq, record_id, recorded_at, event_type, event_data, inputs, inputs_salt, entry)
         VALUES (0, $1, $2, 'e', '{}', '{}', '', $3)`,
        [recordId, recordedAt, entry],
      )
      const splitting = placing.db.transaction((trx) => logs.setCount(trx, 3, placing.locks))
      await waitUntil(async () => {
        const { rows } = await earlier.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows[0] ?? null
      })
      await earlier.query('COMMIT')
      await earlier.end()
      await splitting
      expect(await logs.counts()).to.deep.equal([{ fromSeq: 1, logs: 3 }])
    })

    it('are in logs whose number changes meanwhile, and the same whenever the feed is rebuilt', async function () {
      this.timeout(60_000)
      const logs = createLogStore(placing.db.query)
      const projections = [
        await openPostgresProjection(placing.url),
        await openPostgresProjection(placing.url),
      ]
      const isDone = { value: false }
      let changes = 0
      const nextCount = () => {
        changes += 1
        return 1 + (changes % 5)
      }
      const until = async (work: () => Promise<unknown>) => {
        while (!isDone.value) await work()
      }
      const owners = ['SVCO-1', 'SVCO-2', 'SVCO-3', 'SVCO-4']
      const recording = Promise.all(
        owners.map(async (counterpartyOwnerId, nth) => {
          for (let count = 0; count < 120; count += 1)
            await placing.record(nth, [buildRecord({ counterpartyOwnerId })])
        }),
      ).finally(() => {
        isDone.value = true
      })
      const splitting = until(() =>
        placing.db.transaction((trx) => logs.setCount(trx, nextCount(), placing.locks)),
      )
      const sequencing = [0, 1].map(() => {
        const sequencer = placing.open(7)
        return until(() => sequencer.placeAll())
      })
      const projecting = projections.map((one) => until(() => one.run((store) => projectChunk(store, 11))))
      await Promise.all([recording, splitting, ...sequencing, ...projecting])
      await placing.open().placeAll()
      const places = async () =>
        (await placing.db.query('feed.log_places').select('seq', 'log', 'place').orderBy('seq')).map(
          ({ seq, log, place }) => `${seq} ${log} ${place}`,
        )
      const project = async () => {
        while (((await projections[0]?.run((store) => projectChunk(store))) ?? 0) < 480);
      }
      await project()
      const before = await places()
      await projections[0]?.run((store) => store.clear())
      await project()
      expect(await places()).to.deep.equal(before)
      const splits = await logs.counts()
      expect(splits.length).to.be.above(1)
      const rows = await placing.db
        .query('audit_records')
        .select('seq', 'counterparty_owner_id')
        .orderBy('seq')
      const sizes: number[] = []
      const expected = rows.map(({ seq, counterparty_owner_id: owner }) => {
        const log = chooseLog(owner, splits.findLast(({ fromSeq }) => fromSeq <= Number(seq))?.logs ?? 1)
        const place = sizes[log] ?? 0
        sizes[log] = place + 1
        return { seq: Number(seq), text: `${seq} ${log} ${place}` }
      })
      const placed = expected.filter(({ seq }) => seq >= (splits[0]?.fromSeq ?? 0))
      expect(before).to.deep.equal(placed.map(({ text }) => text))
      await Promise.all(projections.map((one) => one.close()))
    })
  })
}
