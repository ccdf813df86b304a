import { checkProofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { exportRecords } from '../../../../server/services/audit/exportRecords.ts'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditPipeline, openAuditPipeline } from '../../../harness/database/openAuditPipeline.ts'

const OTHERS = { ownerId: 'SVCD-other', counterpartyOwnerId: 'SVCO-other' }
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER }
const { ownerId, counterpartyOwnerId } = buildNumberedRecord(0)
const parties = new Set([ownerId ?? '', counterpartyOwnerId ?? ''])

describe('exportRecords', () => {
  let pipeline: AuditPipeline

  beforeEach(async () => {
    pipeline = await openAuditPipeline()
  })

  afterEach(() => pipeline.close())

  const log = (from: number, to: number, isOthers: (nth: number) => boolean) =>
    pipeline.append(
      Array.from({ length: to - from }, (_, i) =>
        buildNumberedRecord(from + i, isOthers(from + i) ? OTHERS : {}),
      ),
    )
  const anchorAll = async (number: number) => {
    await sealBatch({ ...pipeline, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
    await pipeline.confirm(number)
  }

  it('is empty before anything is final', async () => {
    await log(0, 3, () => false)
    expect(await exportRecords(pipeline, { actsFor: parties, ...ALL })).to.deep.equal({
      lines: [],
      nextFrom: null,
    })
  })

  it('returns the final records of the caller in order, once each, every one with a valid proof', async () => {
    await log(0, 40, (nth) => nth % 3 === 0)
    await anchorAll(1)
    await log(40, 45, () => false)
    const { lines, nextFrom } = await exportRecords(pipeline, { actsFor: parties, ...ALL })
    expect(lines.map(({ seq }) => seq)).to.deep.equal([...Array(40).keys()].filter((nth) => nth % 3 !== 0))
    for (const line of lines) {
      expect(line.recordId).to.equal(buildNumberedRecord(line.seq).recordId)
      expect(checkProofDocument(line)).to.include({ ok: true })
    }
    expect(nextFrom).to.equal(null)
  })

  it('keeps to the range, both ends included', async () => {
    await log(0, 10, () => false)
    await anchorAll(1)
    const { lines } = await exportRecords(pipeline, { actsFor: parties, from: 3, to: 5 })
    expect(lines.map(({ seq }) => seq)).to.deep.equal([3, 4, 5])
  })

  it('is limited to 500 records and returns where it continues', async () => {
    await log(0, 1_010, (nth) => nth === 2)
    await anchorAll(1)
    const seqs: number[] = []
    for (let from: number | null = 0; from !== null; ) {
      const part = await exportRecords(pipeline, { actsFor: parties, from, to: ALL.to })
      expect(part.lines.length).to.be.at.most(500)
      seqs.push(...part.lines.map(({ seq }) => seq))
      from = part.nextFrom
    }
    expect(seqs).to.deep.equal([...Array(1_010).keys()].filter((nth) => nth !== 2))
  })

  it('returns nothing to strangers', async () => {
    await log(0, 5, () => false)
    await anchorAll(1)
    expect((await exportRecords(pipeline, { actsFor: new Set(['SVCD-x']), ...ALL })).lines).to.deep.equal([])
  })
})
