import { rmSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { ApiError } from '../../../../server/errors.ts'
import { openSqlite } from '../../../../server/store/database/openSqlite.ts'
import { type Projection, startProjectionWorker } from '../../../../server/workers/projectionWorker.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'

const THREAD = new URL('../../../../server/compose/projectionThread.ts', import.meta.url)
/** A projection that has processed 100 of 1,000 records and makes no further progress. */
const FAR_BEHIND = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ kind }) => { if (kind === 'stop') parentPort.close() })
  parentPort.postMessage({ kind: 'advanced', nextSeq: 100, logSize: 1_000 })
`
const records = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => buildNumberedRecord(from + i))

describe('the projection thread', () => {
  let database: AuditDatabase
  let projection: Projection
  let logged: string[]
  let workers: Worker[]

  beforeEach(async () => {
    database = await openAuditDatabase()
    logged = []
    workers = []
  })

  afterEach(async () => {
    await projection.stop()
    await database.close()
  })

  function start(
    spawn = () => new Worker(THREAD, { workerData: database.files }),
    timeouts: { catchUpTimeoutMs?: number } = {},
  ): void {
    const log = (_fields: object, message: string) => void logged.push(message)
    projection = startProjectionWorker({
      spawn: () => {
        const worker = spawn()
        workers.push(worker)
        return worker
      },
      log: { warn: log, error: log },
      ...timeouts,
    })
  }

  const feedSize = async () => (await database.db.query('feed.projection_state').first('next_seq')).next_seq
  const nodes = () => database.db.query('feed.tree_nodes').select()

  it('has processed everything committed before the call when it resolves', async () => {
    start()
    for (let size = 1; size <= 20; size += 1) {
      await database.append([buildNumberedRecord(size)])
      expect(await projection.catchUp()).to.be.at.least(size)
      expect(await database.records.byRecordId(buildNumberedRecord(size).recordId)).to.include({
        seq: size - 1,
      })
    }
    expect(projection.failure()).to.equal(null)
  })

  it('rebuilds a deleted feed file', async () => {
    await database.append(records(0, 30))
    start()
    await projection.catchUp()
    const before = await nodes()
    await projection.stop()
    await database.reopen(() => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(database.files.feedFile + suffix, { force: true })
    })
    start()
    expect(await projection.catchUp()).to.equal(30)
    expect(await nodes()).to.deep.equal(before)
  })

  it('rebuilds the feed if the log is another one', async () => {
    await database.append(records(0, 10))
    start()
    await projection.catchUp()
    await projection.stop()
    await database.db.query('audit_records').delete()
    await database.append(records(100, 112))
    start()
    expect(await projection.catchUp()).to.equal(12)
    expect(logged.at(-1)).to.match(/another log/)
    expect(await database.records.byRecordId(buildNumberedRecord(100).recordId)).to.include({ seq: 0 })
    expect(await database.records.byRecordId(buildNumberedRecord(0).recordId)).to.equal(null)
  })

  it('continues after its thread is ended at any moment', async () => {
    await database.append(records(0, 500))
    start()
    for (let ended = 0; ended < 5; ended += 1) {
      await projection.catchUp().catch(() => undefined)
      await database.append(records(500 + ended * 50, 550 + ended * 50))
      await workers.at(-1)?.terminate()
      while (workers.length === ended + 1) await new Promise(setImmediate)
    }
    expect(await projection.catchUp()).to.equal(750)
    expect(await nodes()).to.have.length(2 * 750 - 7)
  })

  it('refuses instead of waiting while there is no thread, reports why, and starts another', async () => {
    let broken = true
    start(() =>
      broken
        ? new Worker('throw new Error("no room on the disk")', { eval: true })
        : new Worker(THREAD, { workerData: database.files }),
    )
    const refusal = await projection.catchUp().catch((error: unknown) => error)
    expect(refusal).to.be.instanceOf(ApiError).with.property('code', 'SERVICE_UNAVAILABLE')
    expect(projection.failure()).to.equal('the projection failed: no room on the disk')
    broken = false
    await database.append([buildNumberedRecord(0)])
    while (projection.failure() !== null) await new Promise(setImmediate)
    expect(await feedSize()).to.equal(1)
  })

  it('states how far the feed is behind if it does not catch up in time', async () => {
    start(() => new Worker(FAR_BEHIND, { eval: true }), { catchUpTimeoutMs: 1 })
    await new Promise<void>((resolve) => projection.onAdvanced(() => resolve()))
    const refusal = await projection.catchUp().catch((error: unknown) => error)
    expect(refusal).to.include({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The newest records cannot be read yet; retry after `Retry-After` seconds.',
      detail: 'the feed is behind the log by 900 records',
    })
  })

  async function appendMegabytes(count: number): Promise<void> {
    const filler = 'x'.repeat(1_000_000)
    for (let nth = 0; nth < count; nth += 1) {
      await database.append([buildNumberedRecord(nth, { inputs: `"${filler}"` })])
    }
  }

  /** The part of the write-ahead log that is not in its file yet. */
  function bytesToCopy(): number {
    const reader = openSqlite(database.files.databaseFile, { readonly: true })
    const [state] = reader.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    const pageBytes = reader.pragma('page_size', { simple: true }) as number
    reader.close()
    return ((state?.log ?? 0) - (state?.checkpointed ?? 0)) * pageBytes
  }

  const SHORT_BYTES = 12 * 1024 * 1024

  it('keeps the write-ahead log short although no connection checkpoints by itself', async () => {
    start()
    await appendMegabytes(20)
    await projection.catchUp()
    // Another check, because the one before the last chunk did not include it.
    await database.append([buildNumberedRecord(20)])
    await projection.catchUp()
    await projection.stop()
    expect(bytesToCopy()).to.be.below(SHORT_BYTES)
  })

  it('keeps it short although no chunk can be projected', async () => {
    await appendMegabytes(20)
    await database.db.query('audit_records').where({ seq: 0 }).delete()
    start()
    while (projection.failure() === null) await new Promise(setImmediate)
    expect(projection.failure()).to.match(/^the projection failed: the log goes on with record 1/)
    expect(bytesToCopy()).to.be.below(SHORT_BYTES)
  })

  it('keeps it short although the feed is damaged', async () => {
    await appendMegabytes(20)
    start(() => {
      writeFileSync(database.files.feedFile, Buffer.alloc(8_192, 7))
      return new Worker(THREAD, { workerData: database.files })
    })
    while (projection.failure() === null) await new Promise(setImmediate)
    expect(bytesToCopy()).to.be.below(SHORT_BYTES)
  })
})
