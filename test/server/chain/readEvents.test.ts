import { expect } from 'chai'
import { LimitExceededRpcError, RpcRequestError } from 'viem'
import { readEvents } from '../../../server/chain/readEvents.ts'

describe('readEvents', () => {
  const asked: [number, number][] = []
  /** Returns one event per block, and rejects a range of more than `rangeMax` blocks. */
  const nodeOf = (rangeMax: number) => async (range: { fromBlock: bigint; toBlock: bigint }) => {
    const [first, last] = [Number(range.fromBlock), Number(range.toBlock)]
    asked.push([first, last])
    if (last - first >= rangeMax) throw new Error('range is too wide')
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  }
  beforeEach(() => {
    asked.length = 0
  })

  it('finds every event once and in order, whatever range the node allows', async () => {
    for (const rangeMax of [1, 2, 3, 7, 64, 100]) {
      const found = await readEvents(nodeOf(rangeMax), 5, 104)
      expect(found).to.deep.equal(Array.from({ length: 100 }, (_, i) => 5 + i))
    }
    expect(await readEvents(nodeOf(1), 5, 4)).to.deep.equal([])
  })

  it('does not exceed the accepted range again after a rejection', async () => {
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

  /** An error with code -32005, which nodes use for two kinds of limits. */
  const limited = (message: string) =>
    new LimitExceededRpcError(
      new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32005, message } }),
    )

  it('splits the range when the node reports the limit of one request, in any wording', async () => {
    for (const words of [
      'query returned more than 10000 results. Try with this block range [0x1, 0x2].',
      'block range too large, max range: 1000',
      'query duration exceeded 10 seconds',
      'limit exceeded',
    ]) {
      const node = nodeOf(4)
      const found = await readEvents((range) => node(range).catch(() => Promise.reject(limited(words))), 0, 9)
      expect(found, words).to.have.length(10)
    }
  })

  it('does not retry immediately when the node reports a rate limit', async () => {
    for (const words of [
      'project ID request rate exceeded',
      'daily request count exceeded, request rate limited',
    ]) {
      const refuse = async () => {
        asked.push([0, 0])
        throw limited(words)
      }
      const failure = await readEvents(refuse, 0, 9).catch((error: Error) => error)
      expect(failure).to.be.instanceOf(LimitExceededRpcError)
      expect(asked.splice(0)).to.have.length(1)
    }
  })

  it('gives up with an explanation if it takes too many requests, and passes on the error for a single block', async () => {
    const sentence = 'the node returns events of 1 blocks at a time, too few to search blocks 0 to 999'
    const failure = await readEvents(nodeOf(1), 0, 999, { requestsMax: 20 }).catch((error: Error) => error)
    expect((failure as Error).message).to.contain(sentence)
    expect(asked).to.have.length(20)
    const refused = await readEvents(nodeOf(0), 0, 3).catch((error: Error) => error)
    expect((refused as Error).message).to.equal('range is too wide')
  })
})
