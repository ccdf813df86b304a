import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createBatchedFetch } from '../../../server/chain/createBatchedFetch.ts'

type Call = { id: number; method: string }
type Reply = { status?: number; body: unknown } | null

describe('createBatchedFetch', () => {
  let server: Server
  let url: string
  /** Bodies of the requests, in order. */
  let asked: (Call | Call[])[]
  let reply: (asked: Call | Call[]) => Reply
  let batched: ReturnType<typeof createBatchedFetch>

  const answer = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: `${method} ${id}` })
  const answerSingly = (call: Call | Call[]): Reply =>
    Array.isArray(call)
      ? { body: { error: { code: -32600, message: 'no batches' } } }
      : { body: answer(call) }
  const isBatch = (call: Call | Call[]) => Array.isArray(call)

  before(async () => {
    server = createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      const call = JSON.parse(Buffer.concat(chunks).toString())
      asked.push(call)
      const given = reply(call)
      if (given) res.writeHead(given.status ?? 200).end(JSON.stringify(given.body))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    asked = []
    batched = createBatchedFetch(30_000)
    reply = (call) => ({ body: Array.isArray(call) ? call.map(answer).toReversed() : answer(call) })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const call = async (id: number): Promise<{ status: number; result: unknown }> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth' })
    const response = await batched(url, { method: 'POST', body })
    return { status: response.status, result: ((await response.json()) as { result?: unknown }).result }
  }
  const callAll = (count: number) => Promise.all(Array.from({ length: count }, (_, id) => call(id)))
  const allAnswered = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ status: 200, result: `eth ${id}` }))

  it('sends the calls of one turn in one request, and gives each its own response, whatever their order', async () => {
    expect(await callAll(30)).to.deep.equal(allAnswered(30))
    expect(asked).to.have.length(1)
  })

  it('sends a single call without a batch', async () => {
    expect(await callAll(1)).to.deep.equal(allAnswered(1))
    expect(asked.some(isBatch)).to.equal(false)
  })

  it('sends no batch of more than a hundred calls', async () => {
    expect(await callAll(250)).to.deep.equal(allAnswered(250))
    expect(asked.map((calls) => [calls].flat().length).sort()).to.deep.equal([100, 100, 50])
  })

  for (const [name, refuse] of [
    ['rejects the request', () => ({ status: 400, body: 'what is this?' })],
    [
      'answers with one error',
      () => ({ body: { id: null, error: { code: -32600, message: 'no batches' } } }),
    ],
    ['answers only one call', (calls) => ({ body: [answer(calls[0] as Call)] })],
    ['answers the first call instead', (calls) => ({ body: answer(calls[0] as Call) })],
    ['fails', () => ({ status: 500, body: 'TypeError' })],
    ['says that these are too many calls', () => ({ status: 429, body: 'slow down' })],
  ] as readonly (readonly [string, (calls: Call[]) => Reply])[]) {
    it(`asks a node that ${name} when it gets a batch one call at a time, and remembers it`, async () => {
      reply = (calls) => (Array.isArray(calls) ? refuse(calls) : { body: answer(calls) })
      for (let round = 0; round < 3; round += 1) expect(await callAll(9)).to.deep.equal(allAnswered(9))
      expect(asked.filter(isBatch)).to.have.length(1)
      expect(asked).to.have.length(1 + 3 * 9)
    })
  }

  it('tries a batch again after a thousand groups, because another node may have replaced it', async () => {
    reply = answerSingly
    for (let group = 0; group < 1_001; group += 1) await callAll(2)
    reply = (calls) => ({ body: [calls].flat().map(answer) })
    expect(await callAll(2)).to.deep.equal(allAnswered(2))
    expect(await callAll(2)).to.deep.equal(allAnswered(2))
    expect(asked.filter(isBatch)).to.have.length(3)
  })

  it('fails every call after two requests, and remembers nothing, if the node answers no single call either', async () => {
    const responses = () =>
      Promise.all(
        [1, 2, 3].map(async () => (await batched(url, { method: 'POST', body: '{"id":1}' })).status),
      )
    reply = () => ({ status: 502, body: 'bad gateway' })
    expect(await responses()).to.deep.equal([502, 502, 502])
    expect(asked.map(isBatch)).to.deep.equal([true, false])
    reply = (calls) => ({ body: [calls].flat().map(answer) })
    expect(await callAll(3)).to.deep.equal(allAnswered(3))
    expect(asked.map(isBatch)).to.deep.equal([true, false, true])
  })

  it('fails every call of a batch that a node does not answer in time, or with too much', async () => {
    const failures = () =>
      Promise.allSettled([call(1), call(2)]).then((all) => all.map(({ status }) => status))
    batched = createBatchedFetch(20)
    reply = () => null
    expect(await failures()).to.deep.equal(['rejected', 'rejected'])
    batched = createBatchedFetch(30_000)
    reply = () => ({ body: ['x'.repeat(10_485_760)] })
    expect(await failures()).to.deep.equal(['rejected', 'rejected'])
    expect(asked).to.have.length(2)
  })
})
