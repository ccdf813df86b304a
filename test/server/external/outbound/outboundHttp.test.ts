import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import {
  createGetText,
  createPostJson,
  createPostText,
} from '../../../../server/external/outbound/outboundHttp.ts'
import { listen } from '../../../harness/peers/listen.ts'

const open = createPostJson({ allowPrivate: true, timeoutMs: 300 })
const guarded = createPostJson({ allowPrivate: false, timeoutMs: 300 })
const openGet = createGetText({ allowPrivate: true, timeoutMs: 300, maxBytes: 100_000 })
const guardedGet = createGetText({ allowPrivate: false, timeoutMs: 300 })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: Error) => error.message,
  )

describe('outboundHttp', () => {
  let canary: Awaited<ReturnType<typeof listen>>
  let reached = 0
  before(async () => {
    canary = await listen((req, res) => {
      reached += 1
      if (req.url === '/redirect') res.writeHead(302, { location: `${canary.url}/` }).end()
      else if (req.url === '/slow') setTimeout(() => res.end('{}'), 5000).unref()
      else if (req.url === '/long') res.end('x'.repeat(70_000))
      else req.pipe(res)
    })
  })
  beforeEach(() => {
    reached = 0
  })
  after(() => canary.stop())

  it('continues the trace at the receiver, which is read for each request', async () => {
    const seen: unknown[] = []
    const receiver = await listen((req, res) => {
      seen.push(req.headers.traceparent)
      res.end('{}')
    })
    let nth = 0
    const traceHeaders = () => {
      nth += 1
      return { traceparent: `trace-${nth}` }
    }
    const options = { allowPrivate: true, timeoutMs: 3_000, traceHeaders }
    await createPostJson(options)(receiver.url, {})
    await createGetText(options)(receiver.url)
    await receiver.stop()
    expect(seen).to.deep.equal(['trace-1', 'trace-2'])
  })

  it('fails at once if a host switches protocols or closes the connection early', async () => {
    for (const answer of [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}',
      'HTTP/1.1 100 Continue\r\n\r\n',
      '',
    ]) {
      const host = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.once('data', () => socket.end(answer))
      }).listen(0, '127.0.0.1')
      await once(host, 'listening')
      const { port } = host.address() as AddressInfo
      expect(await failure(open(`http://127.0.0.1:${port}/`, {})), answer).to.not.equal('no failure')
      host.close()
    }
  })

  it('posts JSON and reads the response', async () => {
    expect(await open(`${canary.url}/echo`, { a: 1 })).to.deep.equal({ status: 200, body: '{"a":1}' })
  })

  it('does not follow a redirect', async () => {
    expect((await open(`${canary.url}/redirect`, {})).status).to.equal(302)
    expect(reached).to.equal(1)
  })

  it('times out', async () => {
    expect(await failure(open(`${canary.url}/slow`, {}))).to.match(/abort|timeout/i)
  })

  it('reads text and headers, up to a configured size', async () => {
    const { status, body, headers } = await openGet(`${canary.url}/long`)
    expect({ status, length: body.length }).to.deep.equal({ status: 200, length: 70_000 })
    expect(headers).to.have.property('date')
    const smaller = createGetText({ allowPrivate: true, timeoutMs: 300 })
    expect(await failure(smaller(`${canary.url}/long`))).to.equal('the response is too long')
  })

  it('reads without following a redirect', async () => {
    expect((await openGet(`${canary.url}/redirect`)).status).to.equal(302)
    expect(reached).to.equal(1)
  })

  it('posts text and returns the status without reading the response', async () => {
    const post = createPostText({ allowPrivate: true, timeoutMs: 300 })
    const request = { text: 'x', headers: {}, signal: new AbortController().signal }
    expect(await post(`${canary.url}/long`, request)).to.equal(200)
    expect(await post(`${canary.url}/redirect`, request)).to.equal(302)
    expect(await failure(post(`${canary.url}/slow`, request))).to.match(/abort|timeout/i)
  })

  it('posts no text to private addresses or over plain HTTP unless private addresses are allowed', async () => {
    const post = createPostText({ allowPrivate: false, timeoutMs: 300 })
    const request = { text: 'x', headers: {}, signal: new AbortController().signal }
    expect(await failure(post('http://acme.io/', request))).to.equal('the address is not HTTPS')
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      expect(await failure(post(`https://${host}/`, request)), host).to.equal('the address is not public')
    }
    expect(reached).to.equal(0)
  })

  it('aborts a post by its signal', async () => {
    const stop = new AbortController()
    const request = { text: 'x', headers: {}, signal: stop.signal }
    const ended = failure(
      createPostText({ allowPrivate: true, timeoutMs: 5_000 })(`${canary.url}/slow`, request),
    )
    stop.abort()
    expect(await ended).to.equal('the request was aborted')
  })

  it('reads nothing over plain HTTP unless private addresses are allowed', async () => {
    expect(await failure(guardedGet('http://acme.io/'))).to.equal('the address is not HTTPS')
    expect(await failure(guardedGet('https://127.0.0.1/'))).to.equal('the address is not public')
  })

  it('refuses a response that is too long', async () => {
    expect(await failure(open(`${canary.url}/long`, {}))).to.equal('the response is too long')
  })

  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
  ]) {
    it(`refuses ${host} unless private addresses are allowed`, async () => {
      expect(await failure(guarded(`http://${host}:${canary.port}/`, {}))).to.equal(
        'the address is not public',
      )
      expect(reached).to.equal(0)
    })
  }
})
