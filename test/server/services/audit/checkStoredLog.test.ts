import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { checkStoredLog } from '../../../../server/services/audit/checkStoredLog.ts'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { createStoredLogStore } from '../../../../server/store/audit/storedLogStore.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditPipeline, openAuditPipeline } from '../../../harness/database/openAuditPipeline.ts'

describe('checkStoredLog', () => {
  let log: AuditPipeline
  beforeEach(async () => {
    log = await openAuditPipeline()
    for (const [batch, from, to] of [
      [1, 0, 1],
      [2, 1, 7],
      [3, 7, 12],
    ] as const) {
      await log.append(Array.from({ length: to - from }, (_, i) => buildNumberedRecord(from + i)))
      await sealBatch({ ...log, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
      if (batch < 3) await log.mine(batch)
    }
    await log.append([buildNumberedRecord(12), buildNumberedRecord(13)])
  })
  afterEach(() => log.close())

  const check = () => checkStoredLog(createStoredLogStore(log.db.query))

  it('counts the records, the sealed batches and the anchored ones', async () => {
    expect(await check()).to.deep.equal({ ok: true, records: 14, batches: 3, anchoredRecords: 7 })
  })

  it('finds every altered sealed record', async () => {
    for (let seq = 0; seq < 12; seq += 1) {
      const [row] = await log.db.query('audit_records').select('entry').where({ seq })
      await log.db
        .query('audit_records')
        .where({ seq })
        .update({ entry: `${row.entry} ` })
      const batch = seq < 1 ? 1 : seq < 7 ? 2 : 3
      expect(await check(), `record ${seq}`)
        .to.have.property('fault')
        .that.matches(new RegExp(`^batch ${batch} was sealed with root`))
      await log.db.query('audit_records').where({ seq }).update({ entry: row.entry })
    }
  })

  it('finds a missing record, also at the end', async () => {
    await log.db.query('audit_records').where({ seq: 12 }).delete()
    expect(await check()).to.deep.equal({ ok: false, fault: 'record 12 is missing, record 13 comes next' })
    await log.db.query('audit_records').where('seq', '>=', 11).delete()
    const fault = 'batch 3 has 12 records, and only 11 are there'
    expect(await check()).to.deep.equal({ ok: false, fault })
  })

  it('finds a root that differs from that of the records', async () => {
    const root = `0x${'ab'.repeat(32)}`
    await log.db.query('audit_batches').where({ number: 2 }).update({ root })
    expect(await check())
      .to.have.property('fault')
      .that.matches(/^batch 2 was sealed with root 0xabab/)
  })

  it('reads several logs one after another, because a snapshot has a single connection', async () => {
    let running = 0
    let runningMax = 0
    const read = async <Rows>(rows: Rows): Promise<Rows> => {
      running += 1
      runningMax = Math.max(runningMax, running)
      await setImmediate()
      running -= 1
      return rows
    }
    const asked: number[] = []
    const checked = await checkStoredLog({
      counts: () => read([{ fromSeq: 0, logs: 3 }]),
      entries: () => read([]),
      heads(number) {
        asked.push(number)
        return read([])
      },
    })
    expect(checked).to.deep.equal({ ok: true, records: 0, batches: 0, anchoredRecords: 0 })
    expect(asked).to.deep.equal([0, 1, 2])
    expect(runningMax).to.equal(1)
  })
})
