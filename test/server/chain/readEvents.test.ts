import { expect } from 'chai'
import { LimitExceededRpcError, type PublicClient, RpcRequestError } from 'viem'
import { isTransportFailure } from '../../../server/chain/nodeFailure.ts'
import { readEvents } from '../../../server/chain/readEvents.ts'

describe('readEvents', () => {
  /** A node whose newest block has this number. */
  const at = (head: number) => ({
    client: () => ({ request: async () => `0x${head.toString(16)}` }) as unknown as PublicClient,
  })
  const asked: [number, number][] = []
  /** Returns one event per block, and rejects a range of more than `rangeMax` blocks. */
  const nodeOf =
    (rangeMax: number) => async (_: PublicClient, range: { fromBlock: bigint; toBlock: bigint }) => {
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
      const found = await readEvents(at(104), nodeOf(rangeMax), { first: 5, last: 104 })
      expect(found).to.deep.equal(Array.from({ length: 100 }, (_, i) => 5 + i))
    }
    expect(await readEvents(at(104), nodeOf(1), { first: 5, last: 4 })).to.deep.equal([])
  })

  it('does not exceed the accepted range again after a rejection', async () => {
    await readEvents(at(99), nodeOf(10), { first: 0, last: 99 })
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
      const found = await readEvents(
        at(9),
        (client, range) => node(client, range).catch(() => Promise.reject(limited(words))),
        { first: 0, last: 9 },
      )
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
      const failure = await readEvents(at(9), refuse, { first: 0, last: 9 }).catch((error: Error) => error)
      expect(failure).to.be.instanceOf(LimitExceededRpcError)
      expect(asked.splice(0)).to.have.length(1)
    }
  })

  it('gives up with an explanation if it takes too many requests, and passes on the error for a single block', async () => {
    const sentence = 'the node returns events of 1 blocks at a time, too few to search blocks 0 to 999'
    const failure = await readEvents({ ...at(999), requestsMax: 20 }, nodeOf(1), {
      first: 0,
      last: 999,
    }).catch((error: Error) => error)
    expect((failure as Error).message).to.contain(sentence)
    expect(asked).to.have.length(20)
    const refused = await readEvents(at(3), nodeOf(0), { first: 0, last: 3 }).catch((error: Error) => error)
    expect((refused as Error).message).to.equal('range is too wide')
  })

  it('does not believe a node that lacks blocks of the range, and says so', async () => {
    const failure = await readEvents(at(98), nodeOf(100), { first: 0, last: 99 }).catch(
      (error: Error) => error,
    )
    expect((failure as Error).message).to.equal(
      'the node is at block 98, and has no events up to block 99 yet',
    )
    expect(isTransportFailure(failure)).to.equal(true)
    expect(asked).to.have.length(1)
  })
})
