import { expect } from 'chai'
import { composeEventRetention } from '../../../../server/compose/audit/composeEventRetention.ts'
import { explainAhead, findFirstYoung } from '../../../../server/services/audit/findFirstYoung.ts'
import { createRecordTimes } from '../../../../server/store/audit/recordTimes.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const DAY_MS = 24 * 3_600_000
const NOW = Date.UTC(2026, 10, 21)
/** Older records are old. */
const DAYS = 30
/** Few, so that what is beyond one statement is tested, too. */
const STRETCH = 8

/** A log by the age of its records, in days; a negative one lies in the future. */
type Ages = readonly number[]

describe('findFirstYoung', function () {
  this.timeout(60_000)
  let database: AuditDatabase
  beforeEach(async () => {
    database = await openAuditDatabase(testedDatabase)
  })
  afterEach(() => database.close())

  const append = (ages: Ages) =>
    database.append(
      ages.map((age, nth) => buildNumberedRecord(nth, { recordedAt: Math.round(NOW - age * DAY_MS) })),
    )
  const find = (range: { from: number; to: number }) =>
    findFirstYoung(createRecordTimes(database.db.query, STRETCH), range, {
      before: NOW - DAYS * DAY_MS,
      now: NOW,
    })

  const cases: [string, Ages, number | null][] = [
    ['without wrong clocks', [40, 35, 31, 20, 10, 1], 3],
    ['that is old altogether', [40, 39], null],
    ['with a record a year ahead', [40, -325, 39, 38, 37, 20, 10], 5],
    ['with a record some days ahead', [40, 20, 39, 38, 37, 20, 10], 5],
    ['whose first record is ahead', [-325, 39, 38, 37, 10], 4],
    ['with records ahead, one after the other', [40, -325, -325, -324, -324, -324, 39, 38, 37, 20], 9],
    ['of a process that is always ahead', [40, -325, 39, -326, 38, 37, -327, 36, 20, -345, 19], 6],
    ['with a record ahead that is young', [40, 39, -364, 1, 0.5, 0.1], 2],
    ['that ends with a record ahead', [40, 39, -325], 2],
    ['with a record ahead and only two old records after it', [40, -325, 39, 38, 5], 1],
    ['with a record a year behind', [40, 20, 385, 10, 5], 1],
    ['with a record a year behind near its end', [40, 20, 19, 385], 1],
    ['that begins with young records before one that is behind', [20, 19, 385, 10], 0],
    ['of a process that is always behind', [385, 20, 384, 19, 383, 18, 382, 17], 1],
    ['whose clocks differ by seconds', [30.0002, 29.9999, 30.0001, 30.00005, 29.9998, 29.9997], 1],
    ['with more records ahead than one statement scans', [40, ...Array(10).fill(-325), 39, 38, 37], 1],
  ]
  for (const [what, ages, expected] of cases) {
    it(`ends at ${expected === null ? 'no record' : `record ${expected}`} of a log ${what}`, async () => {
      await append(ages)
      expect((await find({ from: 0, to: ages.length }))?.seq ?? null).to.equal(expected)
    })
  }

  it('looks at nothing outside its range, except to judge what is in it', async () => {
    await append([20, 40, -325, 39, 38, 37, 10])
    expect(await find({ from: 1, to: 3 })).to.equal(null)
    expect(await find({ from: 1, to: 7 })).to.deep.equal({ seq: 6, recordedAt: NOW - 10 * DAY_MS })
  })

  it('explains a time that lies in the future, and no other', () => {
    const ahead = { seq: 7, recordedAt: NOW + DAY_MS }
    expect(explainAhead(ahead, NOW, 'It ends')).to.match(
      /^It ends before record 7, whose time, 2026-11-22T00:00:00.000Z, lies in the future: the clock of the process/,
    )
    expect(explainAhead({ seq: 7, recordedAt: NOW + 5_000 }, NOW, 'It ends')).to.equal(null)
  })

  describe('in the removal of old events', () => {
    let stop: (() => Promise<void>) | undefined
    let warnings: string[]
    afterEach(() => stop?.())

    const run = async (ages: Ages) => {
      await append(ages)
      warnings = []
      const worker = composeEventRetention({
        ...{ db: database.db, days: DAYS, catchUp: async () => undefined, clock: () => NOW },
        log: {
          error: (fields: unknown) => expect.fail(JSON.stringify(fields)),
          warn: (_: unknown, sentence?: unknown) => void warnings.push(String(sentence)),
        },
      })
      worker.start()
      stop = worker.stop
    }
    const removed = async () => {
      const rows = await database.db.query('audit_records').select('event_data').orderBy('seq')
      return rows.flatMap(({ event_data }, seq) =>
        String(event_data).includes('"removed":true') ? [seq] : [],
      )
    }

    it('does not stop at a record a year ahead, and leaves the young ones', async () => {
      await run([40, -325, 39, 38, 37, 20, 10])
      await waitUntil(async () => ((await removed()).length > 0 ? true : null))
      await stop?.()
      expect(await removed()).to.deep.equal([0, 1, 2, 3, 4])
      expect(warnings).to.deep.equal([])
      const state = await database.db.query('event_retention').first('next_seq')
      expect(Number(state.next_seq)).to.equal(5)
    })

    it('warns when the next record lies in the future', async () => {
      await run([-364, 0.5, 0.1])
      await waitUntil(async () => (warnings.length > 0 ? true : null))
      await stop?.()
      expect(warnings).to.have.length(1)
      expect(warnings[0]).to.match(
        /^The removal of old events ends before record 0, whose time, .*, lies in the/,
      )
      expect(await removed()).to.deep.equal([])
    })
  })
})
