import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import pg from 'pg'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { checkAuditQueue } from '../../../../server/services/audit/checkAuditQueue.ts'
import { projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { createBatchStore } from '../../../../server/store/audit/batchStore.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import type { NewAuditRecord } from '../../../../server/store/audit/newAuditRecord.ts'
import { countCommittedRecords } from '../../../../server/store/audit/pendingRecords.ts'
import { openSequencer, type Sequencer } from '../../../../server/store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../../../../server/store/database/databaseFeatures.ts'
import { openPostgresProjection } from '../../../../server/store/feed/projection.postgres.ts'
import type { Recorder } from '../../../../server/store/recorder/recorder.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { readPlacedRecords } from '../../../harness/database/readPlacedRecords.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const CHILD = new URL('../../../harness/database/placeUntilKilled.ts', import.meta.url).pathname

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: places in the log on PostgreSQL`, () => {
    const { locks } = chooseFeatures(featureSet)
    const TAKE_LOCK = locks.exclusive('log')
    let temporary: TemporaryDatabase
    let url: string
    let recorders: Recorder[]
    let sequencers: Sequencer[]

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      temporary = await openTemporaryDatabase('postgres', featureSet)
      url = temporary.files.databaseUrl ?? ''
      recorders = [temporary.openRecorder(), temporary.openRecorder()]
      sequencers = []
    })
    afterEach(async () => {
      await Promise.all([...recorders, ...sequencers].map((each) => each.close()))
      await temporary.remove()
    })

    const open = (chunkMax?: number): Sequencer => {
      const sequencer = openSequencer(url, { ...(chunkMax ? { chunkMax } : {}), locks })
      sequencers.push(sequencer)
      return sequencer
    }
    const append = (record: NewAuditRecord) =>
      temporary.db.transaction((trx) => createAuditRecordStore(temporary.db.query).append(trx, record))
    async function record(nth = 0, own = [buildRecord()]): Promise<string[]> {
      await recorders[nth % 2]?.record({
        counters: null,
        approval: null,
        decide: () => commitmentOf(own, null),
      })
      return own.map(({ recordId }) => recordId)
    }
    const log = () => readPlacedRecords(temporary.db)
    async function connect(): Promise<pg.Client> {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }

    it('delay no answer: decisions and use cases commit while somebody holds the log', async () => {
      const holder = await connect()
      await holder.query('BEGIN')
      await holder.query(TAKE_LOCK)
      const [first = ''] = await record()
      const second = buildRecord()
      await append(second)
      expect(await log()).to.deep.equal([])
      const placing = open().placeAll()
      await holder.query('COMMIT')
      await placing
      expect(await log()).to.deep.equal([first, second.recordId])
      await holder.end()
    })

    it('are given to each record once, and never show an effect before its cause, by any number of processes', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 6 }),
          fc.array(fc.constantFrom(1, 2, 5, 4_000), { minLength: 1, maxLength: 3 }),
          async (clients, chunks) => {
            const before = await log()
            let tick = 0
            let isRunning = true
            const made = new Map<string, { begun: number; answered: number }>()
            const placing = chunks.map(open).map(async (sequencer) => {
              while (isRunning) await sequencer.placeAll()
            })
            await Promise.all(
              clients.map(async (kinds, nth) => {
                for (const kind of kinds) {
                  const own = Array.from({ length: Math.max(1, kind) }, () => buildRecord())
                  const begun = tick++
                  if (kind === 0) for (const each of own) await append(each)
                  else await record(nth, own)
                  const answered = tick++
                  for (const { recordId } of own) made.set(recordId, { begun, answered })
                }
              }),
            )
            isRunning = false
            await Promise.all(placing)
            await open().placeAll()
            const placed = (await log()).slice(before.length)
            expect(placed.toSorted()).to.deep.equal([...made.keys()].sort())
            let latestBegun = -1
            for (const id of placed) {
              const { begun, answered } = made.get(id) ?? { begun: 0, answered: 0 }
              expect(answered, 'answered before an earlier record was begun').to.be.greaterThan(latestBegun)
              latestBegun = Math.max(latestBegun, begun)
            }
          },
        ),
        { numRuns: 12 },
      )
    })

    it('are continued by another process when one is killed at any moment', async () => {
      const answered: string[] = []
      let isRunning = true
      const load = [0, 1].map(async (nth) => {
        while (isRunning) answered.push(...(await record(nth, [buildRecord(), buildRecord()])))
      })
      for (let kill = 0; kill < 5; kill += 1) {
        const child = spawn(process.execPath, [CHILD, url, featureSet], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        await once(child.stdout, 'data')
        const target = answered.length + 7 * (kill + 1)
        while (answered.length < target) await new Promise(setImmediate)
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      isRunning = false
      await Promise.all(load)
      await open().placeAll()
      const placed = await log()
      expect(placed.length).to.equal(answered.length)
      expect(placed.toSorted()).to.deep.equal(answered.toSorted())
    })

    it('have no gap beside a process of a former release, which appends under the lock of the log', async () => {
      const former = await connect()
      const sequencer = open(2)
      const ids: string[] = []
      await Promise.all([
        (async () => {
          for (let nth = 0; nth < 20; nth += 1) {
            const { recordId, recordedAt, entry } = buildRecord()
            await former.query('BEGIN')
            await former.query(TAKE_LOCK)
            await former.query(
              `INSERT INTO audit_records (seq, record_id, recorded_at, event_type, event_data, inputs, inputs_salt, entry)
             SELECT COALESCE(MAX(seq) + 1, 0), $1, $2, 'e', '{}', '{}', '', $3 FROM audit_records`,
              [recordId, recordedAt, entry],
            )
            await former.query('COMMIT')
            ids.push(recordId)
          }
        })(),
        (async () => {
          for (let nth = 0; nth < 20; nth += 1) {
            ids.push(...(await record(nth)))
            await sequencer.placeAll()
          }
        })(),
      ])
      await former.end()
      expect((await log()).toSorted()).to.deep.equal(ids.toSorted())
    })

    it('are given under the number of logs that there was at their beginning', async () => {
      const logs = createLogStore(temporary.db.query)
      const placing = await connect()
      await placing.query('BEGIN')
      await placing.query(TAKE_LOCK)
      const { recordId, recordedAt, entry } = buildRecord()
      await placing.query(
        `INSERT INTO audit_records (seq, record_id, recorded_at, event_type, event_data, inputs, inputs_salt, entry)
         VALUES (0, $1, $2, 'e', '{}', '{}', '', $3)`,
        [recordId, recordedAt, entry],
      )
      const splitting = temporary.db.transaction((trx) => logs.setCount(trx, 3, locks))
      await waitUntil(async () => {
        const { rows } = await placing.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows[0] ?? null
      })
      await placing.query('COMMIT')
      await placing.end()
      await splitting
      expect(await logs.counts()).to.deep.equal([{ fromSeq: 1, logs: 3 }])
    })

    it('affect no count: a committed record counts once, also before it has its place', async () => {
      const { size, pending } = createAuditRecordStore(temporary.db.query)
      const counts = async () => [
        await size(),
        (await pending()).count,
        await countCommittedRecords(temporary.db.query),
      ]
      await record(0, [buildRecord({}, 7_000), buildRecord({}, 9_000)])
      expect([await counts(), (await pending()).oldestAt]).to.deep.equal([[0, 2, 2], 7_000])
      await open().placeAll()
      expect([await counts(), (await pending()).oldestAt]).to.deep.equal([[2, 0, 2], null])
    })

    it('are in logs whose number changes meanwhile, and the same whenever the feed is rebuilt', async function () {
      this.timeout(60_000)
      const logs = createLogStore(temporary.db.query)
      const projections = [await openPostgresProjection(url), await openPostgresProjection(url)]
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
            await record(nth, [buildRecord({ counterpartyOwnerId })])
        }),
      ).finally(() => {
        isDone.value = true
      })
      const splitting = until(() => temporary.db.transaction((trx) => logs.setCount(trx, nextCount(), locks)))
      const placing = [0, 1].map(() => {
        const sequencer = open(7)
        return until(() => sequencer.placeAll())
      })
      const projecting = projections.map((one) => until(() => one.run((store) => projectChunk(store, 11))))
      await Promise.all([recording, splitting, ...placing, ...projecting])
      await open().placeAll()
      const places = async () =>
        (await temporary.db.query('feed.log_places').select('seq', 'log', 'place').orderBy('seq')).map(
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
      const rows = await temporary.db
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

    it('cause a warning of the health check when a record waits longer than a minute', async () => {
      const check = (now: number) =>
        checkAuditQueue(
          {
            records: createAuditRecordStore(temporary.db.query),
            logs: createLogStore(temporary.db.query),
            logsOf: async () => [{ number: 0, batches: createBatchStore(temporary.db.query) }],
            failure: () => null,
          },
          now,
        )
      await record(0, [buildRecord({}, 1_000)])
      const observed = { waiting: 1, oldestSeconds: 60, pendingSeconds: 60 }
      expect(await check(61_000)).to.deep.equal({ status: 'pass', observed })
      expect(await check(62_000)).to.deep.include({
        status: 'warn',
        detail: 'committed records wait long for their place in the log',
      })
      await open().placeAll()
      expect((await check(62_000)).observed).to.deep.equal({
        ...observed,
        oldestSeconds: 61,
        pendingSeconds: 0,
      })
    })

    it('are given again after the connection was lost', async () => {
      const sequencer = open()
      await record()
      await sequencer.placeAll()
      await temporary.db.query.raw(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'svc-sequencer' AND datname = current_database()`,
      )
      await record()
      await sequencer.placeAll().catch(() => sequencer.placeAll())
      expect(await log()).to.have.length(2)
    })
  })
}
