import { checkProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { ApiError } from '../../../../server/errors.ts'
import { readProof } from '../../../../server/services/audit/readProof.ts'
import { readRecord } from '../../../../server/services/audit/readRecord.ts'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { AGENT_OWNER, buildNumberedRecord, ENDPOINT_OWNER } from '../../../builders/buildNumberedRecord.ts'
import {
  type AuditPipeline,
  DEPLOYMENT,
  openAuditPipeline,
} from '../../../harness/database/openAuditPipeline.ts'

const NOBODY: ReadonlySet<string> = new Set()
const recordIdOf = (nth: number) => buildNumberedRecord(nth).recordId

describe('the proof of a record', () => {
  let pipeline: AuditPipeline
  let logged = 0

  beforeEach(async () => {
    pipeline = await openAuditPipeline()
    logged = 0
  })

  afterEach(() => pipeline.close())

  const log = async (count: number) => {
    await pipeline.append(Array.from({ length: count }, (_, i) => buildNumberedRecord(logged + i)))
    logged += count
  }
  const seal = () => sealBatch({ ...pipeline, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
  const proofOf = (nth: number) => readProof({ ...pipeline, batchSeconds: 5 }, { recordId: recordIdOf(nth) })
  const refusalOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? { code: error.code, headers: error.headers } : error),
    )

  it('is refused for an unknown record', async () => {
    expect(await refusalOf(proofOf(0))).to.deep.include({ code: 'NOT_FOUND' })
  })

  it('is unavailable before the batch is final, with a time to retry', async () => {
    const notYet = { code: 'NOT_ANCHORED_YET', headers: { 'Retry-After': '5' } }
    await log(3)
    expect(await refusalOf(proofOf(1))).to.deep.equal(notYet)
    await seal()
    expect(await refusalOf(proofOf(1))).to.deep.equal(notYet)
    await pipeline.mine(1)
    expect(await refusalOf(proofOf(1))).to.deep.equal(notYet)
    await pipeline.confirm(1)
    expect((await proofOf(1)).index).to.equal(1)
    await log(1)
    expect(await refusalOf(proofOf(3))).to.deep.equal(notYet)
  })

  it('is valid for every record at every size, against the newest final batch', async () => {
    for (let number = 1; number <= 6; number += 1) {
      await log(number * 3 - 2)
      const batch = await seal()
      await pipeline.confirm(number)
      for (let nth = 0; nth < logged; nth += 1) {
        const document = proofDocument.parse(await proofOf(nth))
        expect(checkProofDocument(document)).to.include({ ok: true })
        expect(document).to.deep.include({
          index: nth,
          treeSize: logged,
          batch: number,
          root: batch?.root,
          logId: DEPLOYMENT.logId,
          chainId: DEPLOYMENT.chainId,
          contract: DEPLOYMENT.auditLog,
          blockNumber: 10 + number,
        })
      }
    }
  })

  it('contains the exact bytes of the entry', async () => {
    await log(2)
    await seal()
    await pipeline.confirm(1)
    const stored = await pipeline.records.bySeq(1)
    expect(Buffer.from((await proofOf(1)).entry, 'base64').toString('utf8')).to.equal(stored?.entry)
  })

  it('can be rebuilt after the feed was lost', async () => {
    await log(20)
    await seal()
    await pipeline.confirm(1)
    const before = await proofOf(7)
    pipeline.projection.transaction(pipeline.projection.clear)
    expect(await proofOf(7)).to.deep.equal(before)
  })

  describe('as a record', () => {
    const read = (nth: number, actsFor: ReadonlySet<string>) =>
      readRecord(
        { ...pipeline, proofs: { ...pipeline, batchSeconds: 5 } },
        { recordId: recordIdOf(nth), actsFor },
      )

    for (const party of [AGENT_OWNER, ENDPOINT_OWNER]) {
      it(`shows the record itself to ${party}, anchored or not`, async () => {
        await log(1)
        const found = await read(0, new Set([party]))
        const record = 'record' in found ? found.record : null
        expect(record).to.include({ seq: 0, recordId: recordIdOf(0) })
        expect(record?.event).to.include({ eventType: 'verification.completed' })
      })
    }

    it('shows anyone else the proof and no event', async () => {
      await log(1)
      expect(await refusalOf(read(0, NOBODY))).to.deep.include({ code: 'NOT_ANCHORED_YET' })
      await seal()
      await pipeline.confirm(1)
      expect(await read(0, new Set(['SVCD-stranger']))).to.deep.equal({ proof: await proofOf(0) })
    })
  })
})
