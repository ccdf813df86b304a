import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { readNodeBody } from '@svc/client/gateway/readNodeBody.ts'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'

const SIGNED = { signature: 'svc=:AA==:', 'signature-input': 'svc=("@method" "content-digest")' }
const COVERING = `signature-input: ${SIGNED['signature-input']}`
const MAX = 1_000

/** What a handler behind the gateway reads, in the ways in which handlers read. */
const READERS: Record<string, (req: IncomingMessage) => Promise<string>> = {
  async iteration(req) {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    return String(Buffer.concat(chunks))
  },
  events: (req) =>
    new Promise((resolve) => {
      const chunks: Buffer[] = []
      req.on('data', (chunk) => chunks.push(chunk))
      req.on('end', () => resolve(String(Buffer.concat(chunks))))
    }),
  'pulling chunks': (req) =>
    new Promise((resolve) => {
      const chunks: Buffer[] = []
      req.on('readable', () => {
        for (let chunk = req.read(); chunk !== null; chunk = req.read()) chunks.push(chunk)
      })
      req.on('end', () => resolve(String(Buffer.concat(chunks))))
    }),
  async 'piping later'(req) {
    await new Promise((resolve) => setImmediate(resolve))
    return READERS.iteration?.(req) ?? ''
  },
}

/** Describes what was read, as text. */
const describeBody = (body: Awaited<ReturnType<typeof readNodeBody>>) => {
  if (body === undefined) return 'none'
  return typeof body === 'object' && 'unread' in body ? body.unread : `read ${Buffer.from(body)}`
}

describe('readNodeBody', () => {
  /** Sends chunks, without a length, to a server that reads them first for the gateway and then in its handler. */
  async function send(
    chunks: readonly string[],
    { reader = 'iteration', headers = {} as Record<string, string>, bytesMax = MAX, method = 'POST' } = {},
  ): Promise<[gateway: string, handler: string]> {
    const seen: string[] = []
    const server = await listen(async (req, res) => {
      seen.push(describeBody(await readNodeBody(req, bytesMax)))
      seen.push((await READERS[reader]?.(req)) ?? '')
      res.end()
    })
    await new Promise<void>((resolve, reject) => {
      const req = httpRequest(server.url, { method, headers: { ...SIGNED, ...headers } }, (res) => {
        res.resume().on('end', resolve)
      })
      req.on('error', reject)
      for (const chunk of chunks) req.write(chunk)
      req.end()
    })
    await server.stop()
    const [gateway = '', handler = ''] = seen
    return [gateway, handler]
  }

  for (const reader of Object.keys(READERS)) {
    describe(`leaves the body to a handler that reads it by ${reader}`, () => {
      it('in one chunk or in many', async () => {
        expect(await send(['abc'], { reader })).to.deep.equal(['read abc', 'abc'])
        expect(await send(['a', 'b', 'ü'], { reader })).to.deep.equal(['read abü', 'abü'])
        expect(await send(['abc'], { reader, headers: { 'content-length': '3' } })).to.deep.equal([
          'read abc',
          'abc',
        ])
      })

      it('of no bytes at all', async () => {
        expect(await send([], { reader, headers: { 'transfer-encoding': 'chunked' } })).to.deep.equal([
          'read ',
          '',
        ])
        expect(await send([], { reader, headers: { 'content-length': '0' } })).to.deep.equal(['read ', ''])
      })

      it('that is longer than the gateway reads, with a length or without', async () => {
        const long = 'x'.repeat(200_000)
        const parts = Array.from({ length: 20 }, () => long)
        const headers = { 'content-length': String(long.length) }
        expect(await send([long], { reader, headers })).to.deep.equal(['too_long', long])
        const [gateway, handler] = await send(parts, { reader })
        expect([gateway, handler.length]).to.deep.equal(['too_long', 4_000_000])
      })
    })
  }

  it('reads up to the bound', async () => {
    const most = 'x'.repeat(MAX)
    expect(await send([most])).to.deep.equal([`read ${most}`, most])
    expect((await send([`${most}x`]))[0]).to.equal('too_long')
  })

  it('does not touch a request that proves nothing', async () => {
    const touched: string[] = []
    const req = {
      headers: {},
      method: 'POST',
      on: (event: string) => touched.push(event),
      readableDidRead: false,
    }
    expect(await readNodeBody(req, MAX)).to.equal(undefined)
    expect(touched).to.deep.equal([])
  })

  it('reads for an intent proof too', async () => {
    const headers = { signature: '', 'x-svc-proof': 'a.b.c' }
    expect(await send(['abc'], { headers })).to.deep.equal(['read abc', 'abc'])
  })

  it('reads no further than the first bytes if neither signature nor proof can depend on them', async () => {
    for (const signatureInput of ['', 'svc=()', 'svc=("@method");nonce="content-digest"', 'svc=("@method"']) {
      const headers = { 'signature-input': signatureInput }
      expect(await send(['a', 'bc'], { headers }), signatureInput).to.deep.equal(['too_long', 'abc'])
      const length = { ...headers, 'content-length': '3' }
      expect(await send(['abc'], { headers: length }), signatureInput).to.deep.equal(['too_long', 'abc'])
      const empty = { ...headers, 'transfer-encoding': 'chunked' }
      expect(await send([], { headers: empty }), signatureInput).to.deep.equal(['read ', ''])
    }
  })

  describe('within limits', () => {
    /** Sends a request whose body may never end, to a server that has room for five bytes of it. */
    async function begin(body: string, waitMs: number): Promise<string> {
      const read = Promise.withResolvers<string>()
      let room = 5
      const takeRoom = (bytes: number) => {
        room -= bytes
        return room >= 0
      }
      const server = await listen(async (req, res) => {
        read.resolve(describeBody(await readNodeBody(req, MAX, { waitMs, takeRoom })))
        res.end()
      })
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nhost: a\r\nsignature: svc=:AA==:\r\n${COVERING}\r\n${body}`)
      const found = await read.promise
      socket.destroy()
      await server.stop()
      return found
    }

    it('reads a body that arrives in time and has room', async () => {
      expect(await begin('content-length: 5\r\n\r\nabcde', 60_000)).to.equal('read abcde')
    })

    it('gives up a body that takes too long', async () => {
      expect(await begin('content-length: 4\r\n\r\nabc', 1)).to.equal('too_slow')
      expect(await begin('content-length: 4\r\n\r\n', 1)).to.equal('too_slow')
    })

    it('gives up a body for which there is no room, also if it never ends', async () => {
      expect(await begin('content-length: 9\r\n\r\nabcdef', 60_000)).to.equal('no_room')
      const parts = 'transfer-encoding: chunked\r\n\r\n4\r\nabcd\r\n4\r\nabcd\r\n'
      expect(await begin(parts, 60_000)).to.equal('no_room')
    })
  })

  it('reads no bytes of a request without a body', async () => {
    expect(await send([], { method: 'GET' })).to.deep.equal(['read ', ''])
  })

  it('says that a parser has consumed the body', async () => {
    const seen: string[] = []
    const server = await listen(async (req, res) => {
      await READERS.iteration?.(req)
      seen.push(describeBody(await readNodeBody(req, MAX)))
      res.end()
    })
    await fetch(server.url, { method: 'POST', body: 'abc', headers: SIGNED })
    const decoded = await listen(async (req, res) => {
      req.setEncoding('utf8')
      seen.push(describeBody(await readNodeBody(req, MAX)))
      res.end()
    })
    await fetch(decoded.url, { method: 'POST', body: 'abc', headers: SIGNED })
    const paused = await listen(async (req, res) => {
      req.on('data', () => undefined)
      seen.push(describeBody(await readNodeBody(req, MAX)))
      res.end()
    })
    await fetch(paused.url, { method: 'POST', body: 'abc', headers: SIGNED })
    await Promise.all([server.stop(), decoded.stop(), paused.stop()])
    expect(seen).to.deep.equal(['consumed', 'consumed', 'consumed'])
  })

  it('does not wait for a caller that has gone', async () => {
    let read: Promise<string> | undefined
    const started = Promise.withResolvers<void>()
    const server = await listen((req) => {
      read = Promise.resolve(readNodeBody(req, MAX)).then(describeBody)
      started.resolve()
    })
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\nsignature: svc=:AA==:\r\n${COVERING}\r\ncontent-length: 9\r\n\r\nabc`,
    )
    await started.promise
    socket.destroy()
    expect(await read).to.equal('consumed')
    await server.stop()
  })

  it('works over HTTP/2, which needs no header for a body', async () => {
    const seen: string[] = []
    const server = createHttp2Server(async (req, res) => {
      seen.push(describeBody(await readNodeBody(req, MAX)))
      seen.push((await READERS.events?.(req as unknown as IncomingMessage)) ?? '')
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    for (const method of ['POST', 'GET']) {
      for (const body of ['abc', '', undefined]) {
        const headers = { ':method': method, ':path': '/', ...SIGNED }
        const stream = client.request(headers, { endStream: body === undefined })
        if (body !== undefined) stream.end(body)
        await new Promise((resolve) => stream.resume().on('end', resolve))
      }
    }
    client.close()
    await new Promise((resolve) => server.close(resolve))
    const ofEach = ['read abc', 'abc', 'read ', '', 'read ', '']
    expect(seen).to.deep.equal([...ofEach, ...ofEach])
  })
})
