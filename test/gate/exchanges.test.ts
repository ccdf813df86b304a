import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { mock } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { openGate } from './openGate.ts'
import { AGENT } from './openRegistry.ts'
import { sendRaw } from './sendRaw.ts'

const NAMED = { 'x-svc-id': AGENT }
const MEGABYTE = 1_048_576

describe('svc-gate between a caller and a server', () => {
  let opened: Awaited<ReturnType<typeof openGate>>

  afterEach(() => opened?.stop())

  it('streams a body of unknown length, as fast as the server reads it', async () => {
    const all = 64
    let read: () => void = () => undefined
    const mayRead = new Promise<void>((resolve) => {
      read = resolve
    })
    opened = await openGate(async (req, res) => {
      await mayRead
      let length = 0
      for await (const chunk of req) length += chunk.length
      res.end(`got ${length} by ${req.headers['transfer-encoding']}`)
    })
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent === all) return controller.close()
        sent += 1
        controller.enqueue(new Uint8Array(MEGABYTE))
      },
    })
    const uploaded = fetch(opened.url, { method: 'PUT', body, headers: NAMED, duplex: 'half' } as RequestInit)
    for (let before = -1; before < sent || sent === 0; await pause(150)) before = sent
    expect(sent).to.be.within(1, all / 2)
    read()
    expect(await (await uploaded).text()).to.equal(`got ${all * MEGABYTE} by chunked`)
  })

  it('answers 502 if the server cannot be reached, and 504 if it does not answer in time', async () => {
    opened = await openGate(new URL('http://127.0.0.1:9'))
    expect((await fetch(opened.url, { headers: NAMED })).status).to.equal(502)
    await opened.stop()
    opened = await openGate(() => undefined, { responseMs: 50 })
    const late = await fetch(opened.url, { headers: NAMED })
    expect(late.status).to.equal(504)
    expect(late.headers.get('content-type')).to.equal('application/problem+json')
    expect(await opened.metrics()).to.include('svc_gate_upstream_failures_total{kind="timeout"} 1')
  })

  it('waits for an answer from the last part of a body on that the server took, however long the upload takes', async () => {
    let took: () => void = () => undefined
    opened = await openGate(
      async (req, res) => {
        for await (const _ of req) took()
        res.end('all')
      },
      { responseMs: 60_000 },
    )
    mock.timers.enable({ apis: ['setTimeout'] })
    const sent = request(opened.url, { method: 'PUT', headers: NAMED })
    const answered = once(sent, 'response')
    const send = (part: string) =>
      new Promise<void>((resolve) => {
        took = resolve
        sent.write(part)
      })
    try {
      for (const part of ['one', 'two', 'three']) {
        await Promise.race([send(part), answered])
        mock.timers.tick(59_000)
      }
      sent.end()
      const [response] = (await answered) as [IncomingMessage]
      expect(response.statusCode).to.equal(200)
      response.resume()
    } finally {
      mock.timers.reset()
    }
  })

  it('breaks the response off if the server does, and ends the request if the caller leaves', async () => {
    let left: Promise<unknown> | undefined
    opened = await openGate((req, res) => {
      res.writeHead(200, { 'Content-Length': '10' }).write('half')
      if (req.url === '/dies') setImmediate(() => res.destroy())
      else left = once(res, 'close')
    })
    const broken = await fetch(`${opened.url}/dies`, { headers: NAMED })
    expect(await broken.text().catch((error) => error.name)).to.equal('TypeError')
    const leaving = new AbortController()
    await fetch(opened.url, { headers: NAMED, signal: leaving.signal })
    leaving.abort()
    await left
  })

  it('passes a response without a body, of unknown length or with headers twice, as the server sent it', async () => {
    opened = await openGate((req, res) => {
      const { url = '/', method } = req
      res.setHeader('Set-Cookie', ['a=1', 'b=2'])
      if (url === '/hints') res.writeEarlyHints({ link: '</style.css>; rel=preload' })
      if (url === '/none') res.writeHead(204, 'Nothing here').end()
      else if (url === '/same') res.writeHead(304, { ETag: '"1"' }).end()
      else if (url === '/until-close') {
        res.removeHeader('Transfer-Encoding')
        res.useChunkedEncodingByDefault = false
        res.shouldKeepAlive = false
        res.end(`${method} ${url}`)
      } else res.end(`${method} ${url} ${req.headers['content-length']}`)
    })
    const ask = async (method: string, path: string) => {
      const response = await fetch(opened.url + path, { method, headers: NAMED })
      expect(response.headers.getSetCookie(), path).to.deep.equal(['a=1', 'b=2'])
      return [response.status, response.statusText, await response.text()]
    }
    expect(await ask('GET', '/?a=%23')).to.deep.equal([200, 'OK', 'GET /?a=%23 undefined'])
    expect(await ask('POST', '/')).to.deep.equal([200, 'OK', 'POST / 0'])
    expect(await ask('HEAD', '/')).to.deep.equal([200, 'OK', ''])
    expect(await ask('GET', '/hints')).to.deep.equal([200, 'OK', 'GET /hints undefined'])
    expect(await ask('GET', '/none')).to.deep.equal([204, 'Nothing here', ''])
    expect(await ask('GET', '/same')).to.deep.equal([304, 'Not Modified', ''])
    expect(await ask('GET', '/until-close')).to.deep.equal([200, 'OK', 'GET /until-close'])
    const all = request(opened.url, { method: 'OPTIONS', path: '*', headers: NAMED })
    all.end()
    const [response] = (await once(all, 'response')) as [IncomingMessage]
    expect(String(await response.toArray())).to.equal('OPTIONS * undefined')
  })

  it('asks again if the server closes the connection in place of an answer, but only what changes nothing', async () => {
    const times: Record<string, number> = {}
    opened = await openGate((req, res) => {
      const time = (times[`${req.method}`] ?? 0) + 1
      times[`${req.method}`] = time
      if (time === 1) res.destroy()
      else res.end('answered')
    })
    const ask = async (method: string) => (await fetch(opened.url, { method, headers: NAMED })).status
    expect([await ask('GET'), await ask('HEAD'), await ask('POST'), await ask('DELETE')]).to.deep.equal([
      ...[200, 200, 502, 502],
    ])
    expect(times).to.deep.equal({ GET: 2, HEAD: 2, POST: 1, DELETE: 1 })
  })

  it('sends a response only as fast as the caller reads it', async () => {
    let written = 0
    opened = await openGate(async (_req, res) => {
      for (; written < 256; written += 1) {
        if (!res.write(new Uint8Array(MEGABYTE))) await once(res, 'drain')
      }
      res.end()
    })
    const asking = request(opened.url, { headers: NAMED })
    asking.end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    for (let before = -1; before < written; await pause(150)) before = written
    expect(written).to.be.below(128)
    let read = 0
    for await (const chunk of response) read += chunk.length
    expect(read).to.equal(256 * MEGABYTE)
  })

  it('passes server-sent events on as they come', async () => {
    let send: (text: string) => void = () => undefined
    opened = await openGate((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      send = (text) => void res.write(`data: ${text}\n\n`)
    })
    const response = await fetch(opened.url, { headers: NAMED })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (const text of ['one', 'two']) {
      send(text)
      expect((await reader?.read())?.value).to.equal(`data: ${text}\n\n`)
    }
    await reader?.cancel()
  })

  it('verifies a websocket before it is opened, and passes its bytes on both ways', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${req.headers.upgrade}\r\n\r\n`,
      )
      socket.pipe(socket)
    })
    await once(server, 'listening')
    opened = await openGate(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    const ask = (headers: object) => {
      const asking = request(opened.url, {
        headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...headers },
      })
      asking.end()
      return asking
    }
    const [answer, socket] = (await once(ask(NAMED), 'upgrade')) as [IncomingMessage, Duplex]
    expect(answer.headers.upgrade).to.equal('websocket')
    socket.write('hello')
    expect(String((await once(socket, 'data'))[0])).to.equal('hello')
    socket.end()
    await once(socket, 'close')
    const [refused] = (await once(ask({}), 'response')) as [IncomingMessage]
    expect(refused.statusCode).to.equal(403)
    refused.resume()
    const [withBody] = (await once(ask({ ...NAMED, 'Content-Length': '5' }), 'response')) as [IncomingMessage]
    expect(withBody.statusCode).to.equal(400)
    withBody.resume()
    server.close()
  })

  for (const offer of ['h2c', 'websocket, h2c', 'h2c\r\nUpgrade: websocket', 'tls/1.0']) {
    it(`serves a request that offers ${JSON.stringify(offer)} as an ordinary one, the last of its connection`, async () => {
      const server = createServer((_req, res) => res.end('served')).listen(0, '127.0.0.1')
      const changed: unknown[] = []
      server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
        changed.push(req.headers.upgrade)
        socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`)
      })
      await once(server, 'listening')
      opened = await openGate(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
      const fields = ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${offer}`, 'HTTP2-Settings: AAMAAABk']
      const first = ['GET /a HTTP/1.1', 'Host: a', `X-Svc-Id: ${AGENT}`, ...fields, '', ''].join('\r\n')
      const answer = await sendRaw(opened.url, `${first}GET /b HTTP/1.1\r\nHost: a\r\n\r\n`)
      expect(answer).to.match(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nserved$/s)
      expect(changed).to.deep.equal([])
      server.close()
    })
  }

  it('answers 502 if a server changes the protocol unasked', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    opened = await openGate(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    const fields = ['Host: a', `X-Svc-Id: ${AGENT}`, 'Connection: Upgrade', 'Upgrade: h2c']
    expect(await sendRaw(opened.url, `GET / HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`)).to.match(
      /^HTTP\/1\.1 502 /,
    )
    server.close()
  })

  it('lets running requests end when it is stopped, and says meanwhile that it stops', async () => {
    let release: (() => void) | undefined
    opened = await openGate(
      async (_req, res) => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        res.end('done')
      },
      { graceMs: 5_000 },
    )
    const running = fetch(opened.url, { headers: NAMED })
    while (release === undefined) await pause(5)
    expect(await opened.metrics()).to.include('svc_gate_open_requests 1')
    expect((await fetch(`${opened.gate.adminUrl}/healthz`)).status).to.equal(200)
    const stopped = opened.gate.stop()
    expect((await fetch(`${opened.gate.adminUrl}/healthz`)).status).to.equal(503)
    release()
    expect(await (await running).text()).to.equal('done')
    await stopped
  })
})
