import { connect } from 'node:net'
import { expect } from 'chai'
import type { AnswerStream } from '../../../server/middleware/call.ts'
import type { Route } from '../../../server/middleware/serve.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

describe('a streamed response', () => {
  let served: Served
  let made = 0
  let released = 0
  let asked = 0
  let begin: () => void = () => undefined

  const route = (path: string, chunks: AnswerStream['chunks'], stallMs = 60_000): Route => ({
    method: 'GET',
    path,
    access: 'anyone',
    budget: 'public',
    handler: () => ({ body: null, contentType: 'text/plain', stream: { chunks, stallMs } }),
  })

  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        made += 1
        yield 'x'.repeat(65_536)
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      released += 1
    }
  }

  before(async () => {
    served = await serveRoutes([
      route('/three', async function* () {
        yield* ['a', 'b', 'c']
      }),
      route('/slow', endless, 50),
      route('/patient', endless),
      {
        ...route('/late', endless),
        handler: async () => {
          asked += 1
          await new Promise<void>((resolve) => {
            begin = resolve
          })
          return { body: null, contentType: 'text/plain', stream: { chunks: endless, stallMs: 60_000 } }
        },
      },
      route('/broken', async function* () {
        yield 'a'
        throw new Error('the source failed')
      }),
    ])
  })
  beforeEach(() => {
    made = 0
    released = 0
  })
  after(() => served.stop())

  /** A client that sends a request and then reads nothing. */
  const deafClient = (path: string) => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  }

  it('is sent chunk by chunk and ends with its source', async () => {
    const response = await fetch(`${served.url}/three`)
    expect([response.status, await response.text()]).to.deep.equal([200, 'abc'])
    expect(response.headers.get('x-request-id')).to.be.a('string')
  })

  it('is not produced faster than it is read, and a reader that reads nothing is disconnected', async () => {
    const socket = deafClient('/slow')
    await waitUntil(async () => (released === 1 ? true : null))
    // The capacity of the buffers on both ends, far from the gigabytes of an unbounded source.
    expect(made).to.be.below(1_000)
    socket.destroy()
  })

  it('releases its source when the reader disconnects', async () => {
    const controller = new AbortController()
    const response = await fetch(`${served.url}/patient`, { signal: controller.signal })
    expect(response.status).to.equal(200)
    controller.abort()
    await waitUntil(async () => (released === 1 ? true : null))
  })

  it('releases its source if the reader had disconnected before it began', async () => {
    const reader = deafClient('/late')
    await waitUntil(async () => (asked === 1 ? true : null))
    reader.destroy()
    // By the second response, the server has processed everything that happened before the first request.
    for (let nth = 0; nth < 2; nth += 1) await (await fetch(`${served.url}/three`)).text()
    begin()
    await waitUntil(async () => (released === 1 ? true : null))
    expect(made).to.equal(1)
  })

  it('closes the connection if its source fails, and logs the failure', async () => {
    const read = async () => (await fetch(`${served.url}/broken`)).text()
    const failed = await read().then(
      () => false,
      () => true,
    )
    expect(failed).to.equal(true)
    expect(served.logged.length).to.equal(1)
  })
})
