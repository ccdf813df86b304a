import { expect } from 'chai'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'

/** More than fit in one statement. */
const MANY = 450

describe('records of use cases', () => {
  let database: AuditDatabase

  beforeEach(async () => {
    database = await openAuditDatabase(testedDatabase)
  })
  afterEach(() => database.close())

  const list = (from: number, count: number) =>
    Array.from({ length: count }, (_, nth) => buildNumberedRecord(from + nth))
  const stored = () => database.db.query('audit_records').select('seq', 'record_id', 'entry').orderBy('seq')

  it('are consecutive in the order of their creation, however many a transaction has', async () => {
    await database.append(list(0, 3))
    await database.append(list(3, MANY))
    await database.append(list(3 + MANY, 1))
    const rows = await stored()
    expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, nth) => nth))
    for (const [nth, record] of list(0, MANY + 4).entries()) {
      expect(rows[nth]).to.include({ record_id: record.recordId, entry: record.entry })
    }
  })

  it('disappear with a failed transaction, and use no sequence number', async () => {
    const failed = database.db.transaction(async (trx) => {
      await database.records.append(trx, buildNumberedRecord(0))
      throw new Error('refused')
    })
    expect(await failed.catch((error: Error) => error.message)).to.equal('refused')
    await database.append(list(1, 1))
    expect((await stored()).map(({ seq, record_id: id }) => [seq, id])).to.deep.equal([
      [0, buildNumberedRecord(1).recordId],
    ])
  })
})
