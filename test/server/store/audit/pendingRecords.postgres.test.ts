import { expect } from 'chai'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
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
})
