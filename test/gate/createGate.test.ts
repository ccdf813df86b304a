import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'
import { openRecordingGate } from './openRecordingGate.ts'
import { AGENT } from './openRegistry.ts'

const NAMED = { 'x-svc-id': AGENT }

describe('svc-gate before a server', () => {
  let opened: Awaited<ReturnType<typeof openRecordingGate>>

  afterEach(() => opened?.stop())

  it('passes what the registry grants, as it was sent, and the response back', async () => {
    opened = await openRecordingGate()
    const response = await fetch(`${opened.url}/a%2fb/./c?x=1&y=%20`, {
      ...{ method: 'POST', body: 'hello', headers: { ...NAMED, 'X-Own': 'kept' } },
    })
    expect([response.status, await response.text()]).to.deep.equal([200, 'got 5'])
    expect(response.headers.getSetCookie()).to.deep.equal(['a=1', 'b=2'])
    expect(opened.seen[0]).to.include({ method: 'POST', url: '/a%2fb/c?x=1&y=%20' })
    expect(opened.headerOf('x-own')).to.deep.equal(['kept'])
    expect(opened.headerOf('x-svc-recommendation')).to.deep.equal(['grant'])
    expect(opened.headerOf('x-svc-access-level')).to.deep.equal(['full'])
    expect(opened.headerOf('x-forwarded-for')).to.deep.equal(['127.0.0.1'])
    expect(opened.asked[0]).to.include({ agentId: NAMED['x-svc-id'], resource: '/a%2fb/c' })
  })

  it('keeps a connection without a request open for longer than a proxy before it does', async () => {
    opened = await openRecordingGate()
    const { headers } = await fetch(opened.url, { headers: NAMED })
    expect(headers.get('keep-alive')).to.equal('timeout=130')
  })

  it('asks within the trace of the request, and passes its headers on as they were', async () => {
    opened = await openRecordingGate()
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=a' }
    await fetch(opened.url, { headers: { ...NAMED, ...trace, baggage: 'user=1' } })
    expect(opened.traces).to.deep.equal([{ ...trace, baggage: undefined }])
    expect(opened.headerOf('traceparent')).to.deep.equal([trace.traceparent])
    await fetch(opened.url, { headers: { ...NAMED, ...trace, traceparent: 'none' } })
    expect(opened.traces[1]).to.deep.equal({
      traceparent: undefined,
      tracestate: undefined,
      baggage: undefined,
    })
  })

  it('refuses what the registry denies, without a word to the server', async () => {
    opened = await openRecordingGate()
    const response = await fetch(opened.url)
    expect(response.status).to.equal(403)
    expect(await response.json()).to.include({ code: 'access_denied' })
    expect(opened.seen).to.deep.equal([])
    expect(await opened.metrics()).to.include('svc_gate_requests_total{outcome="refused"} 1')
  })

  it('refuses everything while there is no decision', async () => {
    opened = await openRecordingGate({ answer: () => ({ nonsense: true }) })
    const response = await fetch(opened.url, { headers: NAMED })
    expect(response.status).to.equal(503)
    expect(opened.seen).to.deep.equal([])
    expect(await opened.metrics()).to.include('svc_gate_requests_total{outcome="undecided"} 1')
  })

  it('removes headers that only the gate may set, of the connection, and for another method or path', async () => {
    opened = await openRecordingGate()
    const sent = request(opened.url, {
      headers: [
        ...['Host', 'shop.example', 'X-Svc-Id', NAMED['x-svc-id'], 'X-Svc-Access-Level', 'admin'],
        ...['X_Svc_Recommendation', 'grant', 'X-Svc-Receipt', 'forged', 'X-Forwarded-For', '6.6.6.6'],
        ...['X_Forwarded_For', '6.6.6.6', 'X-HTTP-Method-Override', 'DELETE', 'X-Original-URL', '/admin'],
        ...['Forwarded', 'for=6.6.6.6', 'Connection', 'close, X-Private', 'X-Private', '1', 'TE', 'trailers'],
      ] as never,
    })
    sent.end()
    const [response] = await once(sent, 'response')
    response.resume()
    expect(opened.headerOf('x-svc-access-level')).to.deep.equal(['full'])
    const overrides = ['x_forwarded_for', 'x-http-method-override', 'x-original-url']
    for (const name of [
      'x_svc_recommendation',
      'x-svc-receipt',
      'forwarded',
      'x-private',
      'te',
      ...overrides,
    ])
      expect(opened.headerOf(name), name).to.deep.equal([])
    expect(opened.headerOf('x-forwarded-for')).to.deep.equal(['127.0.0.1'])
    expect(opened.headerOf('host')).to.deep.equal(['shop.example'])
    expect(opened.headerOf('x-forwarded-host')).to.deep.equal(['shop.example'])
  })

  it('believes the address and scheme of a proxy in front only if it is told to', async () => {
    opened = await openRecordingGate({ trustProxy: 1 })
    await fetch(opened.url, {
      headers: { ...NAMED, 'X-Forwarded-For': '6.6.6.6, 203.0.113.7', 'X-Forwarded-Proto': 'https' },
    })
    expect(opened.headerOf('x-forwarded-for')).to.deep.equal(['6.6.6.6, 203.0.113.7, 127.0.0.1'])
    expect(opened.headerOf('x-forwarded-proto')).to.deep.equal(['https'])
    expect(opened.asked[0]?.callerMetadata.sourceIp).to.equal('203.0.113.7')
  })
})
