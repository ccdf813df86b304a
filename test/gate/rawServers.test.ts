import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { forwardExchange } from '@svc/gate/proxy/forwardExchange.ts'
import { createUpstream } from '@svc/gate/proxy/upstream.ts'
import { expect } from 'chai'
import { listen } from '../harness/peers/listen.ts'
import { makeCertificate } from '../harness/peers/makeCertificate.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { openGate } from './openGate.ts'

const NAMED = { 'X-Svc-Id': `SVC-${'A'.repeat(22)}` }
/** More than the buffers of all connections on the way take, so that the gate has to pause. */
const LARGE = Buffer.alloc(24 * 1_048_576, 'x')
const SLOW_MS = 300
const PART_MS = 2

describe('svc-gate before servers that speak HTTP in their own ways', function () {
  this.timeout(60_000)
  const stops: (() => unknown)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })

  /** Starts a server that answers each request with bytes. */
  async function listenRaw(answer: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    stops.push(() => server.close())
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Opens a gate before such a server. */
  async function open(answer: (socket: Socket) => void) {
    const gate = await openGate(new URL(await listenRaw(answer)))
    stops.push(() => gate.stop())
    return gate
  }

  /** Reads a response only after a while, and then slower than it comes; null if it breaks off. */
  async function readSlowly(url: string): Promise<number | null> {
    const asking = request(url, { headers: NAMED, agent: false })
    asking.end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    let length = 0
    try {
      for await (const chunk of response) {
        await pause(length === 0 ? SLOW_MS : PART_MS)
        length += chunk.length
      }
    } catch {
      return null
    }
    return length
  }

  const head = (fields: string) => `HTTP/1.1 200 OK\r\n${fields}\r\n`
  const stated = `Content-Length: ${LARGE.length}\r\n`
  const chunked = () =>
    Buffer.concat([Buffer.from(`${LARGE.length.toString(16)}\r\n`), LARGE, Buffer.from('\r\n0\r\n\r\n')])
  for (const [form, fields, body] of [
    ['that ends with the connection', '', () => LARGE],
    ['of HTTP/1.0', '', () => LARGE],
    ['of a stated length, after which the connection ends', `${stated}Connection: close\r\n`, () => LARGE],
    ['of a stated length, after which the connection ends unexpectedly', stated, () => LARGE],
    ['in chunks, after which the connection ends unexpectedly', 'Transfer-Encoding: chunked\r\n', chunked],
  ] as const) {
    it(`gives a slow reader all of a response ${form}`, async () => {
      const gate = await open((socket) => {
        const opening = head(fields)
        socket.write(form.includes('1.0') ? opening.replace('1.1', '1.0') : opening)
        socket.end(body())
      })
      expect(await readSlowly(gate.url)).to.equal(LARGE.length)
      expect((await fetch(gate.url, { headers: NAMED })).status).to.equal(200)
    })
  }

  it('gives all of a response whose last byte the reader has not taken when the connection ends', async () => {
    const server = await listenRaw((socket) => {
      socket.write(`${head('Content-Length: 5\r\n')}hel`)
      setTimeout(() => socket.end('lo'), SLOW_MS / 4)
    })
    const upstream = createUpstream(new URL(server), { connectMs: 1_000, responseMs: 1_000 })
    stops.push(upstream.close)
    const { url, stop } = await listen((_req, res) => {
      const write = res.write.bind(res)
      // A caller that takes nothing for a while.
      res.write = (bytes: Uint8Array) => {
        write(bytes)
        setTimeout(() => res.emit('drain'), SLOW_MS)
        return false
      }
      const question = { method: 'GET', path: '/', headers: ['Host', 'a'] }
      return forwardExchange(upstream, { res, responseHeaders: {} }, question)
    })
    stops.push(stop)
    expect(await (await fetch(url)).text()).to.equal('hello')
  })

  it('breaks a response off whose connection fails while the reader is slow', async () => {
    const gate = await open((socket) => {
      socket.write(head(stated))
      socket.write(LARGE.subarray(1), () => undefined)
      setTimeout(() => socket.resetAndDestroy(), SLOW_MS / 2)
    })
    expect(await readSlowly(gate.url)).to.equal(null)
    expect((await fetch(`${gate.gate.adminUrl}/healthz`)).status).to.equal(200)
  })

  it('takes the answer of a server that says 100 to a body without being asked to', async () => {
    const gate = await open((socket) => {
      socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nall')
    })
    const response = await fetch(gate.url, { method: 'POST', headers: NAMED, body: 'hello' })
    expect([response.status, await response.text()]).to.deep.equal([200, 'all'])
  })

  it('passes a response whose reason phrase is not in ASCII', async () => {
    for (const phrase of [Buffer.from('Nicht verfügbar'), Buffer.from('Nicht verf\xfcgbar', 'latin1')]) {
      const gate = await open((socket) => {
        const end = Buffer.from('\r\nContent-Length: 0\r\n\r\n')
        socket.write(Buffer.concat([Buffer.from('HTTP/1.1 404 '), phrase, end]))
      })
      const asking = request(gate.url, { headers: NAMED, agent: false })
      asking.end()
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      response.resume()
      expect(response.statusCode).to.equal(404)
      // Of bytes that are not UTF-8, what replaces them.
      expect(Buffer.from(response.statusMessage ?? '', 'latin1').toString()).to.equal(phrase.toString())
    }
  })

  it('passes a 304 that states the length of the page, and keeps the connections', async () => {
    let connections = 0
    const gate = await open((socket) => {
      if (socket.listenerCount('close') === 0) connections += 1
      socket.on('close', () => undefined)
      socket.write('HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 1000\r\n\r\n')
    })
    for (let nth = 0; nth < 2; nth += 1) {
      const response = await fetch(gate.url, { headers: NAMED })
      expect([response.status, response.headers.get('etag')]).to.deep.equal([304, '"1"'])
    }
    expect(connections).to.be.at.most(2)
  })

  it('compares the certificate of a server with its own name, whatever host the caller names', async () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { pem, privateKey } = makeCertificate({ name: 'localhost', keys, names: [['dns', 'localhost']] })
    const server = createTlsServer(
      { cert: pem, key: privateKey.export({ format: 'pem', type: 'pkcs8' }) },
      (req, res) => void res.end(`${req.method} ${req.headers.host}`),
    ).listen(0, 'localhost')
    stops.push(() => server.close())
    await once(server, 'listening')
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, pem])
    stops.push(() => tls.setDefaultCACertificates(trusted))
    const gate = await openGate(new URL(`https://localhost:${(server.address() as AddressInfo).port}`))
    stops.push(() => gate.stop())
    for (const method of ['GET', 'POST']) {
      const asking = request(gate.url, { method, agent: false, headers: { ...NAMED, Host: 'shop.example' } })
      asking.end()
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      expect(String(await response.toArray())).to.equal(`${method} shop.example`)
    }
  })

  it('refuses requests with two hosts, or with one that is none, before they are verified', async () => {
    const gate = await open((socket) => void socket.end(head('')))
    for (const hosts of [
      'Host: a\r\nHost: b',
      'Host: a\r\nhost: a',
      'Host: [',
      'Host: a b',
      'Host: a/b',
      'Host: a@b',
    ]) {
      const socket = connect(Number(new URL(gate.url).port), '127.0.0.1')
      socket.write(
        `GET / HTTP/1.1\r\n${hosts}\r\nX-Svc-Id: ${NAMED['X-Svc-Id']}\r\nConnection: close\r\n\r\n`,
      )
      expect(String(await socket.toArray()), hosts).to.match(/^HTTP\/1.1 400 /)
    }
    expect(gate.asked).to.deep.equal([])
  })

  it('ends all requests of a caller that sends several at once and leaves', async () => {
    let asked = 0
    const gate = await open((socket) => {
      asked += 1
      socket.write(head(stated))
    })
    const caller = connect(Number(new URL(gate.url).port), '127.0.0.1')
    const one = `GET / HTTP/1.1\r\nHost: a\r\nX-Svc-Id: ${NAMED['X-Svc-Id']}\r\n\r\n`
    caller.write(one.repeat(12))
    await waitUntil(async () => (asked === 12 ? true : null))
    caller.destroy()
    await waitUntil(async () => ((await gate.metrics()).includes('svc_gate_open_requests 0') ? true : null))
  })
})
