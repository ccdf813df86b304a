import { expect } from 'chai'
import fc from 'fast-check'
import type { AnchoredBatch } from '../../../cli/audit/anchoredBatch.ts'
import { findBatchBefore } from '../../../cli/audit/findBatchBefore.ts'
import { findFirstBatch } from '../../../cli/audit/findFirstBatch.ts'

const BLOCK_SECONDS = 2
const timeOf = (block: number) => new Date(block * BLOCK_SECONDS * 1000)

/** Builds a chain of batches from their sizes, and from the blocks between them. */
function buildChain(shape: readonly { records: number; blocks: number }[]) {
  let requests = 0
  const batches: AnchoredBatch[] = []
  for (const { records, blocks } of shape) {
    const before = batches.at(-1)
    const prevSize = before?.newSize ?? 0
    batches.push({
      ...{ number: batches.length + 1, prevSize, newSize: prevSize + records },
      ...{ root: '0x00', transactionHash: '0x00', blockNumber: (before?.blockNumber ?? 0) + blocks },
    })
  }
  const batchesIn = async (number: number | null, first: number, last: number) => {
    requests += 1
    const isIn = ({ blockNumber }: AnchoredBatch) => first <= blockNumber && blockNumber <= last
    return batches.filter((batch) => isIn(batch) && (number === null || batch.number === number))
  }
  const blockTime = async (block: number) => {
    requests += 1
    return timeOf(block)
  }
  const last = batches.at(-1)
  if (last === undefined) throw new Error('a log without a batch')
  return { batches, last, chain: { batchesIn, blockTime }, requests: () => requests }
}

const shapes = fc.array(
  fc.record({ records: fc.integer({ min: 1, max: 4 }), blocks: fc.integer({ min: 1, max: 900 }) }),
  { minLength: 1, maxLength: 30 },
)

describe('findFirstBatch', () => {
  it('finds the batch that first anchored an entry, whatever time the entry states', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.nat(), fc.integer({ min: -1, max: 40_000 }), async (shape, nth, block) => {
        const { batches, last, chain } = buildChain(shape)
        const index = nth % last.newSize
        const found = await findFirstBatch(chain, { index, upTo: last, time: timeOf(block) })
        expect(found).to.equal(batches.find(({ newSize }) => index < newSize))
      }),
    )
  })

  it('needs few requests in a log of many batches', async () => {
    const shape = Array.from({ length: 20_000 }, () => ({ records: 3, blocks: 5 }))
    const { batches, last, chain, requests } = buildChain(shape)
    const sought = batches[12_345]
    const time = timeOf((sought?.blockNumber ?? 0) - 3)
    expect(await findFirstBatch(chain, { index: 12_345 * 3, upTo: last, time })).to.equal(sought)
    expect(requests()).to.be.below(25)
  })

  it('says so if the node does not return every batch', async () => {
    const { last, chain } = buildChain(Array.from({ length: 9 }, () => ({ records: 1, blocks: 2_000 })))
    const forgetful = { ...chain, batchesIn: async () => [] }
    const finding = findFirstBatch(forgetful, { index: 3, upTo: last, time: timeOf(1) })
    expect(await finding.catch((error: Error) => error.message)).to.equal(
      'The node does not return the batch that first anchored number 3.',
    )
  })
})

describe('findBatchBefore', () => {
  it('finds the batch before another one, however far back it is, and none before the first', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.nat(), fc.integer({ min: 1, max: 40 }), async (shape, nth, factor) => {
        const far = shape.map(({ records, blocks }) => ({ records, blocks: blocks * factor }))
        const { batches, chain } = buildChain(far)
        const at = nth % batches.length
        const batch = batches[at]
        if (batch === undefined) throw new Error('there is a batch')
        expect(await findBatchBefore(chain.batchesIn, batch)).to.equal(batches[at - 1] ?? null)
      }),
    )
  })
})
