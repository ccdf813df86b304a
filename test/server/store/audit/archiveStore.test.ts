import { expect } from 'chai'
import { createArchiveStore } from '../../../../server/store/audit/archiveStore.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'

const RECORDS = 20
/** The number of records that one statement scans. */
const STRETCH = 3

describe('the first record since a given time', () => {
  let database: AuditDatabase
  let times: number[]

  before(async () => {
    database = await openAuditDatabase(testedDatabase)
    await database.append(Array.from({ length: RECORDS }, (_, nth) => buildNumberedRecord(nth)))
    const rows = await database.db.query('audit_records').select('recorded_at').orderBy('seq')
    times = rows.map((row) => Number(row.recorded_at))
  })
  after(() => database.close())

  it('is found at any position, in however many statements the log is scanned', async () => {
    const { firstSince } = createArchiveStore(database.db.query, STRETCH)
    const moments = [...times, (times.at(-1) ?? 0) + 1]
    expect(new Set(moments).size, 'moments').to.be.above(STRETCH)
    for (const since of moments) {
      for (const [fromSeq, toSeq] of [
        [0, RECORDS],
        [5, RECORDS],
        [5, 11],
        [4, 4],
      ] as const) {
        const expected = times.findIndex((time, seq) => seq >= fromSeq && seq < toSeq && time >= since)
        expect(await firstSince(fromSeq, toSeq, since)).to.equal(expected < 0 ? null : expected)
      }
    }
  })
})
