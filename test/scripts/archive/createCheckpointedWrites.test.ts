import { statSync } from 'node:fs'
import { expect } from 'chai'
import { createCheckpointedWrites } from '../../../scripts/archive/createCheckpointedWrites.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../harness/database/openAuditDatabase.ts'

describe('createCheckpointedWrites', () => {
  let database: AuditDatabase

  beforeEach(async () => {
    database = await openAuditDatabase()
  })
  afterEach(() => database.close())

  it('keeps the write-ahead log short without a server', async () => {
    const { db, files, records } = database
    const writes = createCheckpointedWrites({ ...files, databaseUrl: undefined }, db.transaction)
    const inputs = `"${'x'.repeat(1_000_000)}"`
    for (let nth = 0; nth < 80; nth += 1) {
      await writes.transaction((trx) => records.append(trx, buildNumberedRecord(nth, { inputs })))
    }
    writes.close()
    expect(statSync(`${files.databaseFile}-wal`).size).to.be.below(48 * 1024 * 1024)
  })
})
