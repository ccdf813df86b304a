import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import fc from 'fast-check'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { checkAuditQueue } from '../../../../server/services/audit/checkAuditQueue.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { createBatchStore } from '../../../../server/store/audit/batchStore.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { countCommittedRecords } from '../../../../server/store/audit/pendingRecords.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { openPlacing, type Placing } from './openPlacing.ts'

const CHILD = new URL('../../../harness/database/placeUntilKilled.ts', import.meta.url).pathname

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: places in the log on PostgreSQL`, () => {
    let placing: Placing

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      placing = await openPlacing(featureSet)
    })
    afterEach(() => placing.close())

    it('delay no answer: decisions and use cases commit while somebody holds the log', async () => {
      const holder = await placing.connect()
      await holder.query('BEGIN')
      await holder.query(placing.takeLock)
      const [first = ''] = await placing.record()
      const second = buildRecord()
      await placing.append(second)
      expect(await placing.log()).to.deep.equal([])
      const placed = placing.open().placeAll()
      await holder.query('COMMIT')
      await placed
      expect(await placing.log()).to.deep.equal([first, second.recordId])
      await holder.end()
    })

    it('are given to each record once, and never show an effect before its cause, by any number of processes', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 6 }),
          fc.array(fc.constantFrom(1, 2, 5, 4_000), { minLength: 1, maxLength: 3 }),
          async (clients, chunks) => {
            const before = await placing.log()
            let tick = 0
            let isRunning = true
            const made = new Map<string, { begun: number; answered: number }>()
            const working = chunks.map(placing.open).map(async (sequencer) => {
              while (isRunning) await sequencer.placeAll()
            })
            await Promise.all(
              clients.map(async (kinds, nth) => {
                for (const kind of kinds) {
                  const own = Array.from({ length: Math.max(1, kind) }, () => buildRecord())
                  const begun = tick++
                  if (kind === 0) for (const each of own) await placing.append(each)
                  else await placing.record(nth, own)
                  const answered = tick++
                  for (const { recordId } of own) made.set(recordId, { begun, answered })
                }
              }),
            )
            isRunning = false
            await Promise.all(working)
            await placing.open().placeAll()
            const placed = (await placing.log()).slice(before.length)
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
        while (isRunning) answered.push(...(await placing.record(nth, [buildRecord(), buildRecord()])))
      })
      for (let kill = 0; kill < 5; kill += 1) {
        const child = spawn(process.execPath, [CHILD, placing.url, featureSet], {
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
      await placing.open().placeAll()
      const placed = await placing.log()
      expect(placed.length).to.equal(answered.length)
      expect(placed.toSorted()).to.deep.equal(answered.toSorted())
    })

    it('have no gap beside a process of a former release, which appends under the lock of the log', async () => {
      const former = await placing.connect()
      const sequencer = placing.open(2)
      const ids: string[] = []
      await Promise.all([
        (async () => {
          for (let nth = 0; nth < 20; nth += 1) {
            const { recordId, recordedAt, entry } = buildRecord()
            await former.query('BEGIN')
            await former.query(placing.takeLock)
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
            ids.push(...(await placing.record(nth)))
            await sequencer.placeAll()
          }
        })(),
      ])
      await former.end()
      expect((await placing.log()).toSorted()).to.deep.equal(ids.toSorted())
    })

    it('affect no count: a committed record counts once, also before it has its place', async () => {
      const { size, pending } = createAuditRecordStore(placing.db.query)
      const counts = async () => [
        await size(),
        (await pending()).count,
        await countCommittedRecords(placing.db.query),
      ]
      await placing.record(0, [buildRecord({}, 7_000), buildRecord({}, 9_000)])
      expect([await counts(), (await pending()).oldestAt]).to.deep.equal([[0, 2, 2], 7_000])
      await placing.open().placeAll()
      expect([await counts(), (await pending()).oldestAt]).to.deep.equal([[2, 0, 2], null])
    })

    it('cause a warning of the health check when a record waits longer than a minute', async () => {
      const check = (now: number) =>
        checkAuditQueue(
          {
            records: createAuditRecordStore(placing.db.query),
            logs: createLogStore(placing.db.query),
            logsOf: async () => [{ number: 0, batches: createBatchStore(placing.db.query) }],
            failure: () => null,
          },
          now,
        )
      await placing.record(0, [buildRecord({}, 1_000)])
      const observed = { waiting: 1, oldestSeconds: 60, pendingSeconds: 60 }
      expect(await check(61_000)).to.deep.equal({ status: 'pass', observed })
      expect(await check(62_000)).to.deep.include({
        status: 'warn',
        detail: 'committed records wait long for their place in the log',
      })
      await placing.open().placeAll()
      expect((await check(62_000)).observed).to.deep.equal({
        ...observed,
        oldestSeconds: 61,
        pendingSeconds: 0,
      })
    })

    it('are given again after the connection was lost', async () => {
      const sequencer = placing.open()
      await placing.record()
      await sequencer.placeAll()
      await placing.db.query.raw(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'svc-sequencer' AND datname = current_database()`,
      )
      await placing.record()
      await sequencer.placeAll().catch(() => sequencer.placeAll())
      expect(await placing.log()).to.have.length(2)
    })
  })
}
