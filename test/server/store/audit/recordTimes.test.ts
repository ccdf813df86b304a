import { expect } from 'chai'
import { createRecordTimes } from '../../../../server/store/audit/recordTimes.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'

const RECORDS = 20
/** The number of records that one statement scans. */
const STRETCH = 3

describe('createRecordTimes', () => {
  let database: AuditDatabase
  let times: number[]

  before(async () => {
    database = await openAuditDatabase(testedDatabase)
    await database.append(Array.from({ length: RECORDS }, (_, nth) => buildNumberedRecord(nth)))
    const rows = await database.db.query('audit_records').select('recorded_at').orderBy('seq')
    times = rows.map((row) => Number(row.recorded_at))
  })
  after(() => database.close())

  it('finds the first record since a time at any position, in however many statements the log is scanned', async () => {
    const { firstSince } = createRecordTimes(database.db.query, STRETCH)
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
        expect(await firstSince(fromSeq, toSeq, since)).to.deep.equal(
          expected < 0 ? null : { seq: expected, recordedAt: times[expected] },
        )
      }
    }
  })

  it('reads the next records up to a time, as far as one statement scans', async () => {
    const { nextUntil } = createRecordTimes(database.db.query, STRETCH)
    const next = async (...given: Parameters<typeof nextUntil>) =>
      (await nextUntil(...given)).map(({ seq }) => seq)
    const last = times.at(-1) ?? 0
    expect(await next(4, last, 2)).to.deep.equal([5, 6])
    expect(await next(4, last, 9), 'a stretch').to.deep.equal([5, 6, 7])
    expect(await next(RECORDS - 2, last, 9)).to.deep.equal([RECORDS - 1])
    expect(await next(4, (times[6] ?? 0) - 1, 9)).to.deep.equal([5])
  })
})
