import { verifyConsistency } from '@svc/core/audit/verifyProof.ts'
import { decodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditPipeline, openAuditPipeline } from '../../../harness/database/openAuditPipeline.ts'

const START = buildNumberedRecord(0).recordedAt
const limits = { batchSize: 4, batchSeconds: 5 }
const records = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => buildNumberedRecord(from + i, { recordedAt: START }))

describe('sealBatch', () => {
  let pipeline: AuditPipeline

  beforeEach(async () => {
    pipeline = await openAuditPipeline()
  })

  afterEach(() => pipeline.close())

  const seal = (now = START) => sealBatch({ ...pipeline, limits }, now)

  it('seals nothing if nothing is pending', async () => {
    expect(await seal(START + 1e9)).to.equal(null)
  })

  it('waits until enough records are pending, then seals all of them', async () => {
    await pipeline.append(records(0, 3))
    expect(await seal()).to.equal(null)
    await pipeline.append(records(3, 6))
    expect(await seal()).to.include({ number: 1, prevSize: 0, newSize: 6 })
  })

  it('seals few records once the oldest has waited long enough, to the millisecond', async () => {
    await pipeline.append(records(0, 1))
    expect(await seal(START + 4_999)).to.equal(null)
    expect(await seal(START + 5_000)).to.include({ number: 1, newSize: 1 })
  })

  it('seals a record from a process whose clock is ahead when as much time has passed since the last batch', async () => {
    const yearsAhead = (from: number) =>
      buildNumberedRecord(from, { recordedAt: START + 365 * 24 * 60 * 60 * 1_000 })
    await pipeline.append([yearsAhead(0)])
    expect(await seal(START)).to.include({ number: 1, newSize: 1 })
    await pipeline.mine(1)
    await pipeline.append([yearsAhead(1)])
    expect(await seal(START + 4_999)).to.equal(null)
    expect(await seal(START + 5_000)).to.include({ number: 2, newSize: 2 })
  })

  it('stores both the batch and the intent to anchor it, or neither', async () => {
    await pipeline.append(records(0, 4))
    const failing = sealBatch(
      { ...pipeline, limits, anchor: () => Promise.reject(new Error('no room')) },
      START,
    )
    expect(await failing.catch((error: Error) => error.message)).to.equal('no room')
    expect(await pipeline.batches.last()).to.equal(null)
    await seal()
    expect(await pipeline.batches.last()).to.include({ number: 1, status: 'sealed', sealedAt: START })
    expect(await pipeline.outbox.byKey('anchor:1')).to.deep.include({
      kind: 'audit.anchor',
      payload: { batch: 1 },
      status: 'queued',
    })
  })

  it('pauses while the previous batch is in no block, and then seals everything pending', async () => {
    await pipeline.append(records(0, 4))
    await seal()
    await pipeline.append(records(4, 30))
    expect(await seal(START + 1e9)).to.equal(null)
    await pipeline.mine(1)
    expect(await seal()).to.include({ number: 2, prevSize: 4, newSize: 30 })
  })

  it('proves that every batch extends the one before it', async () => {
    let from: { size: number; root: Uint8Array } = { size: 0, root: new Uint8Array() }
    let logged = 0
    for (let number = 1; number <= 12; number += 1) {
      const more = (number * 7) % 13 || 5
      await pipeline.append(records(logged, logged + more))
      logged += more
      const batch = await seal(START + 5_000)
      if (batch === null) throw new Error(`batch ${number} was not sealed`)
      const toRoot = decodeHex(batch.root)
      const proof = batch.consistencyProof.map(decodeHex)
      const claim = { fromSize: from.size, toSize: logged, fromRoot: from.root, toRoot, proof }
      expect(from.size === 0 ? proof.length === 0 : verifyConsistency(claim)).to.equal(true)
      expect(batch).to.include({ number, prevSize: from.size, newSize: logged })
      from = { size: logged, root: toRoot }
      await pipeline.mine(number)
    }
  })

  it('refuses to continue a log that was rewritten', async () => {
    await pipeline.append(records(0, 5))
    await seal()
    await pipeline.mine(1)
    await pipeline.db.query('audit_records').where({ seq: 2 }).update({ entry: 'forged' })
    pipeline.projection.transaction(pipeline.projection.clear)
    await pipeline.append(records(5, 9))
    const failure = await seal().catch((error: Error) => error.message)
    expect(failure).to.equal('the log of 9 records does not extend batch 1, sealed at 5')
    expect((await pipeline.batches.last())?.number).to.equal(1)
  })

  it('seals a batch once when two processes try concurrently', async () => {
    await pipeline.append(records(0, 4))
    const both = await Promise.all([seal(), seal()])
    expect(both.map((batch) => batch?.number ?? null)).to.have.members([1, null])
    expect(await pipeline.batches.page(10, null)).to.have.length(1)
  })
})
