import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type AgentKey,
  createPresenter,
  exportPublicKey,
  generateAgentKey,
  type PublicKey,
  signFetch,
} from '@svc/client'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'
import { type ReceivedRequest, readSignedRequest } from '../../harness/peers/readSignedRequest.ts'

const AGENT = `SVC-${'A'.repeat(22)}`

/** A request as the server received it, with its body. */
type Received = ReceivedRequest & { body: Buffer }

describe('signFetch', () => {
  let key: AgentKey
  let jwk: PublicKey
  let site: Awaited<ReturnType<typeof listen>>
  let received: Received[]

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    )
    received.push({
      ...{ method: req.method ?? '', url: `${site.url}${req.url}`, headers },
      body: Buffer.concat(chunks),
    })
    if (req.url === '/moved') res.writeHead(307, { location: '/orders' })
    res.end('answered')
  }

  before(async () => {
    key = await generateAgentKey()
    jwk = await exportPublicKey(key)
    site = await listen((req, res) => void answer(req, res))
  })
  beforeEach(() => {
    received = []
  })
  after(() => site.stop())

  const signed = (options: object = {}) => signFetch(key, { agentId: AGENT, ...options })
  const onlyRequest = (): Received => {
    expect(received).to.have.lengthOf(1)
    return received[0] as Received
  }

  it('signs what the server receives', async () => {
    const response = await signed()(`${site.url}/a%20b/ü?q=é&empty=#part`, { headers: { 'X-Own': 'a' } })
    expect(await response.text()).to.equal('answered')
    const request = onlyRequest()
    expect(await readSignedRequest(request).isSignedBy(jwk)).to.equal(true)
    expect(request.headers).to.include({ 'x-own': 'a', 'x-svc-id': AGENT })
    expect(request.headers).not.to.have.property('content-digest')
  })

  it('signs each request anew', async () => {
    const fetchSigned = signed()
    await Promise.all([1, 2, 3].map(() => fetchSigned(site.url)))
    const nonces = received.map((request) => readSignedRequest(request).parameters.nonce)
    expect(new Set(nonces).size).to.equal(3)
  })

  describe('covers the digest of a body that is', () => {
    const form = () => {
      const data = new FormData()
      data.set('total', '5')
      data.set('file', new Blob(['bytes'], { type: 'text/plain' }), 'a.txt')
      return data
    }
    const bodies: Record<string, [() => BodyInit, RegExp]> = {
      'a text': [() => 'ä', /^text\/plain;charset=UTF-8$/],
      bytes: [() => new Uint8Array([0, 1, 255]), /^undefined$/],
      'a part of a buffer': [() => new Uint8Array([0, 1, 255]).subarray(1), /^undefined$/],
      'an ArrayBuffer': [() => new Uint8Array([7]).buffer, /^undefined$/],
      URLSearchParams: [() => new URLSearchParams({ a: 'ü' }), /^application\/x-www-form-urlencoded/],
      'a Blob': [() => new Blob(['x'], { type: 'image/png' }), /^image\/png$/],
      FormData: [form, /^multipart\/form-data; boundary=/],
    }
    for (const [what, [body, type]] of Object.entries(bodies)) {
      it(what, async () => {
        await signed()(`${site.url}/orders`, { method: 'POST', body: body() })
        const request = onlyRequest()
        const { components, isSignedBy } = readSignedRequest(request)
        expect(components).to.include('content-digest')
        expect(await isSignedBy(jwk)).to.equal(true)
        const digest = createHash('sha256').update(request.body).digest('base64')
        expect(request.headers['content-digest']).to.equal(`sha-256=:${digest}:`)
        expect(String(request.headers['content-type'])).to.match(type)
        expect(request.body.length).to.be.greaterThan(0)
      })
    }
  })

  it('keeps the content type that the caller sets', async () => {
    const headers = { 'content-type': 'application/json' }
    await signed()(site.url, { method: 'post', body: '{}', headers })
    expect(onlyRequest().headers['content-type']).to.equal('application/json')
    expect(onlyRequest().method).to.equal('POST')
  })

  it('refuses a body that it cannot sign, and sends nothing', async () => {
    const stream = new Blob(['x']).stream()
    const iterable = (async function* () {
      yield new Uint8Array([1])
    })()
    for (const body of [stream, iterable, { total: 5 }, 7] as unknown as BodyInit[]) {
      const failure = await signed()(site.url, { method: 'POST', body }).catch((error: Error) => error)
      expect(failure).to.be.instanceOf(TypeError)
      expect(String(failure)).to.include('not a stream or an object')
    }
    expect(received).to.deep.equal([])
  })

  it('signs a Request, with its body, and what replaces parts of it', async () => {
    const request = new Request(`${site.url}/orders`, {
      method: 'POST',
      body: 'a',
      headers: { 'x-own': 'a' },
    })
    await signed()(request)
    await signed()(request, { body: 'b', headers: { 'x-own': 'b' } })
    await signed()(new Request(site.url))
    const seen = received.map(({ method, body, headers }) => [method, String(body), headers['x-own']])
    expect(seen).to.deep.equal([
      ['POST', 'a', 'a'],
      ['POST', 'b', 'b'],
      ['GET', '', undefined],
    ])
    for (const each of received) expect(await readSignedRequest(each).isSignedBy(jwk)).to.equal(true)
  })

  it('follows no redirect, to which the signature would not belong', async () => {
    const response = await signed()(`${site.url}/moved`, { method: 'POST', body: 'a' })
    expect([response.status, response.headers.get('location')]).to.deep.equal([307, '/orders'])
    onlyRequest()
    const strict = await signed()(`${site.url}/moved`, { redirect: 'error' }).catch((error: Error) => error)
    expect(strict).to.be.instanceOf(TypeError)
    expect(received).to.have.lengthOf(2)
  })

  it('passes on the other options, such as the signal', async () => {
    const failure = await signed()(site.url, { signal: AbortSignal.abort() }).catch((error: Error) => error)
    expect(String(failure)).to.include('AbortError')
    const asked = signed()(new Request(site.url, { signal: AbortSignal.abort() })).catch(
      (error: Error) => error,
    )
    expect(String(await asked)).to.include('AbortError')
    expect(received).to.deep.equal([])
  })

  it('sends with the given fetch', async () => {
    const sent: unknown[] = []
    const fetchIt: typeof fetch = async (input, init) => {
      sent.push(input, new Headers(init?.headers).has('signature'))
      return new Response()
    }
    await signed({ fetch: fetchIt })('https://shop.example/', {})
    expect(sent).to.deep.equal(['https://shop.example/', true])
  })

  it('covers what a presenter sets', async () => {
    const presenter = createPresenter(
      { svcId: AGENT, verifyUrl: 'https://svc.test', purpose: 'shopping:buy', durationSeconds: 60 },
      signed(),
    )
    await presenter.fetch(site.url, {}, { attemptId: 'ATT-1', proof: 'a.b.c' })
    const request = onlyRequest()
    expect(request.headers).to.include({ 'x-svc-purpose': 'shopping:buy', 'x-svc-proof': 'a.b.c' })
    const { components, isSignedBy } = readSignedRequest(request)
    expect(components).to.include.members(['x-svc-id', 'x-svc-purpose', 'x-svc-duration', 'x-svc-attempt-id'])
    expect(await isSignedBy(jwk)).to.equal(true)
  })

  it('does not sign for one agent what presents another', async () => {
    const presenter = createPresenter({ svcId: 'SVC-other', verifyUrl: 'https://svc.test' }, signed())
    const failure = await presenter.fetch(site.url).catch((error: Error) => error)
    expect(String(failure)).to.include('SVC-other').and.include(AGENT)
    expect(received).to.deep.equal([])
  })
})
