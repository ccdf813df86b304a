import { expect } from 'chai'
import pg from 'pg'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { countCommittedRecords } from '../../../../server/store/audit/pendingRecords.ts'
import { openSequencer } from '../../../../server/store/audit/sequencer.postgres.ts'
import { openPostgresDatabase } from '../../../../server/store/database/database.postgres.ts'
import { chooseFeatures } from '../../../../server/store/database/databaseFeatures.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'

describe('records that wait for their place on PostgreSQL', () => {
  let temporary: TemporaryDatabase

  before(async function () {
    if (!testsPostgres) this.skip()
    temporary = await openTemporaryDatabase('postgres')
  })
  after(() => temporary?.remove())

  const url = () => temporary.files.databaseUrl ?? ''

  /** In a session of its own: PostgreSQL reports what a session read at its end. */
  async function placeAll(): Promise<void> {
    const sequencer = openSequencer(url())
    await sequencer.placeAll()
    await sequencer.close()
  }

  async function countFullReads(): Promise<number> {
    const client = new pg.Client({ connectionString: url() })
    await client.connect()
    try {
      const { rows } = await client.query(
        `SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'pending_records'`,
      )
      return Number(rows[0].seq_scan)
    } finally {
      await client.end()
    }
  }

  it('are counted up to 10,000, and the age of the oldest is always read', async () => {
    const { db } = temporary
    const records = createAuditRecordStore(db.query)
    await db.transaction((trx) => records.append(trx, buildRecord({}, 1_000)))
    expect(await records.pending()).to.deep.equal({ count: 1, oldestAt: 1_000 })
    await db.query.raw(
      `INSERT INTO pending_records (record_id, recorded_at, event_type, event_data, inputs, inputs_salt, entry)
       SELECT record_id || n, recorded_at + n, event_type, event_data, inputs, inputs_salt, entry
         FROM pending_records, generate_series(1, 10000) AS n`,
    )
    expect(await records.pending()).to.deep.equal({ count: 10_000, oldestAt: 1_000 })
  })

  it('are looked for without reading the rows that were moved to the log', async () => {
    await placeAll()
    await temporary.db.close()
    const before = await countFullReads()
    await placeAll()
    const again = await openPostgresDatabase(url(), { features: chooseFeatures() })
    expect(await createAuditRecordStore(again.query).pending()).to.deep.equal({ count: 0, oldestAt: null })
    expect(await countCommittedRecords(again.query)).to.equal(10_001)
    await again.close()
    expect(await countFullReads()).to.equal(before)
  })
})
