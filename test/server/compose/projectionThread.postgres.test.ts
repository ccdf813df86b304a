import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import pg from 'pg'
import { createAuditRecordStore } from '../../../server/store/audit/auditRecordStore.ts'
import { type Projection, startProjectionWorker } from '../../../server/workers/projectionWorker.ts'
import { buildRecord } from '../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../harness/database/postgres.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

const THREAD = new URL('../../../server/compose/projectionThread.ts', import.meta.url)

describe('the projection thread on PostgreSQL', () => {
  let temporary: TemporaryDatabase
  let projection: Projection
  let other: pg.Client

  before(async function () {
    if (!testsPostgres) this.skip()
    temporary = await openTemporaryDatabase('postgres')
    other = new pg.Client({ connectionString: temporary.files.databaseUrl })
    await other.connect()
  })
  after(async () => {
    await other?.end()
    await projection?.stop()
    await temporary?.remove()
  })

  const append = () =>
    temporary.db.transaction((trx) => createAuditRecordStore(temporary.db.query).append(trx, buildRecord()))
  const pending = async () => (await temporary.db.query('pending_records').select('record_id')).length
  /** Identifies the chunk whose projection waits for another process; null while none does. */
  const waitingChunk = async (): Promise<string | null> => {
    const { rows } = await temporary.db.query.raw(
      `SELECT xact_start::text AS chunk FROM pg_stat_activity
        WHERE application_name = 'svc-projection' AND datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows[0]?.chunk ?? null
  }

  it('gives records their places also while a chunk is being projected', async () => {
    const log = { warn: () => undefined, error: () => undefined }
    const workerData = temporary.files
    projection = startProjectionWorker({ spawn: () => new Worker(THREAD, { workerData }), log })
    await projection.catchUp()
    await other.query('BEGIN')
    await other.query('SELECT next_seq FROM feed.projection_state WHERE id = 1 FOR UPDATE')
    await append()
    const chunk = await waitUntil(waitingChunk)
    await append()
    await waitUntil(async () => ((await pending()) === 0 ? true : null))
    expect(await waitingChunk()).to.equal(chunk)
    await other.query('ROLLBACK')
    expect(await projection.catchUp()).to.equal(2)
  })
})
