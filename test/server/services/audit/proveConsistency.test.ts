import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { proveConsistency } from '../../../../server/services/audit/proveConsistency.ts'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { type AuditPipeline, openAuditPipeline } from '../../../harness/database/openAuditPipeline.ts'

const SIZE = 20

const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** MTH and SUBPROOF as RFC 9162 §2.1.1 and §2.1.4.1 define them, by recursion over the leaves. */
function rootOf(leaves: Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] ?? Buffer.alloc(0)
  const k = splitOf(leaves.length)
  return sha256('\x01', rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)))
}
function subproof(m: number, leaves: Buffer[], isComplete: boolean): Buffer[] {
  if (m === leaves.length) return isComplete ? [] : [rootOf(leaves)]
  const k = splitOf(leaves.length)
  if (m <= k) return [...subproof(m, leaves.slice(0, k), isComplete), rootOf(leaves.slice(k))]
  return [...subproof(m - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))]
}
const splitOf = (n: number) => 2 ** (Math.ceil(Math.log2(n)) - 1)
const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`

describe('the proof that the log only grew', () => {
  let pipeline: AuditPipeline

  before(async () => {
    pipeline = await openAuditPipeline()
    await pipeline.append(Array.from({ length: SIZE }, (_, nth) => buildNumberedRecord(nth)))
    await sealBatch({ ...pipeline, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
    await pipeline.confirm(1)
  })

  after(() => pipeline.close())

  it('is that of the RFC for every pair of sizes', async () => {
    const leaves = Array.from({ length: SIZE }, (_, seq) => sha256('\0', buildNumberedRecord(seq).entry))
    for (let to = 1; to <= SIZE; to += 1) {
      for (let from = 1; from <= to; from += 1) {
        const found = await proveConsistency({ ...pipeline, batchSeconds: 5 }, { from, to })
        expect(found).to.deep.include({
          fromRoot: hex(rootOf(leaves.slice(0, from))),
          toRoot: hex(rootOf(leaves.slice(0, to))),
          consistencyProof: subproof(from, leaves.slice(0, to), true).map(hex),
        })
      }
    }
  })
})
