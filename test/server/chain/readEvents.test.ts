import { expect } from 'chai'
import { readEvents } from '../../../server/chain/readEvents.ts'

describe('readEvents', () => {
  const asked: [number, number][] = []
  /** One event a block, and never more than some blocks at once. */
  const nodeOf = (rangeMax: number) => async (range: { fromBlock: bigint; toBlock: bigint }) => {
    const [first, last] = [Number(range.fromBlock), Number(range.toBlock)]
    asked.push([first, last])
    if (last - first >= rangeMax) throw new Error('range is too wide')
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  }
  beforeEach(() => {
    asked.length = 0
  })

  it('finds every event once and in order, whatever the node allows at a time', async () => {
    for (const rangeMax of [1, 2, 3, 7, 64, 100]) {
      const found = await readEvents(nodeOf(rangeMax), 5, 104)
      expect(found).to.deep.equal(Array.from({ length: 100 }, (_, i) => 5 + i))
    }
    expect(await readEvents(nodeOf(1), 5, 4)).to.deep.equal([])
  })

  it('asks for no more than was answered once it was refused', async () => {
    await readEvents(nodeOf(10), 0, 99)
    expect(asked.slice(0, 6)).to.deep.equal([
      [0, 99],
      [0, 49],
      [0, 24],
      [0, 12],
      [0, 6],
      [7, 13],
    ])
    expect(asked.slice(4).every(([first, last]) => last - first < 7)).to.equal(true)
  })

  it('gives up in a sentence when the node would have to be asked too often, and says of one block why', async () => {
    const sentence = 'the node tells events of 1 blocks at a time, too few to look through blocks 0 to 999'
    const failure = await readEvents(nodeOf(1), 0, 999, { requestsMax: 20 }).catch((error: Error) => error)
    expect((failure as Error).message).to.contain(sentence)
    expect(asked).to.have.length(20)
    const refused = await readEvents(nodeOf(0), 0, 3).catch((error: Error) => error)
    expect((refused as Error).message).to.equal('range is too wide')
  })
})
