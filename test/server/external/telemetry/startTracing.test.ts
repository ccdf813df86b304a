import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { readConfig } from '../../../../server/config.ts'
import { startTracing } from '../../../../server/external/telemetry/startTracing.ts'
import { registerAgent } from '../../../builders/participants.ts'
import {
  type ExportedSpan,
  readAttributes,
  startTraceReceiver,
} from '../../../harness/peers/startTraceReceiver.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type HookedShop, openHookedShop } from '../../services/webhooks/openHookedShop.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER_SPAN = '00f067aa0ba902b7'
const VERIFY = 'POST /api/agents/verify-access'

describe('the traces of the service', () => {
  let receiver: Awaited<ReturnType<typeof startTraceReceiver>>
  let scene: HookedShop
  let spans: ExportedSpan[]
  let delivered: unknown
  const named = (name: string) => spans.filter((span) => span.name === name)
  const inTrace = (name: string): ExportedSpan => {
    const [found, ...others] = named(name).filter(({ traceId }) => traceId === TRACE_ID)
    expect(others).to.deep.equal([])
    if (found === undefined) throw new Error(`no span ${name} in the trace of the caller`)
    return found
  }

  before(async () => {
    receiver = await startTraceReceiver()
    scene = await openHookedShop({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret,x-tenant=acme',
    })
    const { service, shop } = scene
    const { svcId } = await registerAgent(service.baseUrl)
    const { svceId, set, settled, call } = await scene.newEndpoint()
    await set()
    const verified = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { counterpartyId: svceId, agentId: svcId, resource: '/private-resource' },
      headers: { traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`, tracestate: 'vendor=of-the-caller' },
    })
    expect(verified.status).to.equal(200)
    for (const traceparent of ['nonsense', `00-${'0'.repeat(32)}-${CALLER_SPAN}-01`]) {
      await api(service.baseUrl, 'GET', '/api/agents/nobody', { headers: { traceparent } })
    }
    await fetch(`${service.baseUrl}/api/health`)
    delivered = (await scene.arrived()).headers.traceparent
    await settled()
    await call('POST', '/test-webhook')
    await waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      return body.agent.blockchainStatus === 'verified' ? true : null
    })
    await service.stop()
    spans = receiver.spans()
  })
  after(async () => {
    await scene?.receiver.stop()
    await receiver?.stop()
  })

  it('are sent as JSON with the configured headers, and name the service', () => {
    expect(receiver.requests.length).to.be.above(0)
    for (const { path, headers } of receiver.requests) {
      expect(path).to.equal('/v1/traces')
      expect(headers).to.include({ authorization: 'Bearer collector-secret', 'x-tenant': 'acme' })
    }
    expect(receiver.resourceAttributes()).to.include({ 'service.name': 'svc-registry' })
  })

  it('continue the trace of the caller: request, decision, commit', () => {
    const request = inTrace(VERIFY)
    expect(request.parentSpanId).to.equal(CALLER_SPAN)
    expect(readAttributes(request)).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/api/agents/verify-access',
      'http.response.status_code': 200,
    })
    const decision = inTrace('decision')
    expect(decision.parentSpanId).to.equal(request.spanId)
    expect(readAttributes(decision)).to.have.all.keys('svc.recommendation')
    const group = inTrace('commit group')
    expect(group.parentSpanId).to.equal(decision.spanId)
    expect(readAttributes(group)).to.deep.equal({ 'svc.group.size': 1 })
  })

  it('begin a new trace where the caller has none, or one that is invalid', () => {
    const requests = named('GET /api/agents/:id').filter((span) => span.traceId !== TRACE_ID)
    expect(requests.length).to.be.at.least(2)
    for (const { parentSpanId, traceId } of requests) {
      expect(parentSpanId ?? '').to.equal('')
      expect(traceId).to.not.match(/^0+$/)
    }
  })

  it('continue with the delivery of the webhook, and at its receiver', () => {
    const delivery = inTrace('webhook delivery')
    expect(delivery.parentSpanId).to.equal(inTrace('decision').spanId)
    expect(delivered).to.equal(`00-${TRACE_ID}-${delivery.spanId}-01`)
    expect(readAttributes(delivery)).to.deep.equal({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'svc.webhook.probe': false,
    })
  })

  it('cover rounds of the relayer that moved something', () => {
    const rounds = named('relayer round')
    expect(rounds).to.not.deep.equal([])
    for (const round of rounds) {
      expect(round.parentSpanId ?? '').to.equal('')
      expect(readAttributes(round)['svc.intents.moved']).to.be.above(0)
    }
  })

  it('continue from a registration to what the relayer did for it, with a link to its round', () => {
    const [registration] = named('POST /api/agents/register')
    const [mint] = named('intent identity.mint')
    if (registration === undefined || mint === undefined) throw new Error('spans are missing')
    expect([mint.traceId, mint.parentSpanId]).to.deep.equal([registration.traceId, registration.spanId])
    const rounds = named('relayer round').map(({ spanId }) => spanId)
    expect(rounds).to.include.members(mint.links.map(({ spanId }) => spanId))
    expect(mint.links).to.have.lengthOf(1)
    expect(readAttributes(mint)).to.deep.equal({ 'svc.intent.attempts': 1 })
  })

  it('begin with a request for a test, and continue with the test', () => {
    const [test, ...others] = named('webhook delivery').filter(
      (span) => readAttributes(span)['svc.webhook.probe'],
    )
    const [request] = named('POST /api/endpoints/:id/test-webhook')
    expect(others).to.deep.equal([])
    expect([test?.traceId, test?.parentSpanId]).to.deep.equal([request?.traceId, request?.spanId])
    expect(test?.traceId).to.be.a('string')
  })

  it('leave out the probes of health', () => {
    expect(named('GET /api/health')).to.deep.equal([])
  })

  it('contain nothing but names of routes, numbers and closed lists', () => {
    const known: Record<string, RegExp> = {
      'http.request.method': /^(GET|POST|PUT|PATCH|DELETE|HEAD)$/,
      'http.route': /^[a-z\-_./:*A-Z]+$/,
      'http.response.status_code': /^\d{3}$/,
      'svc.recommendation': /^[a-z_]+$/,
      'svc.group.size': /^\d+$/,
      'svc.webhook.probe': /^(true|false)$/,
      'svc.intents.moved': /^\d+$/,
      'svc.intent.attempts': /^\d+$/,
      'error.type': /^[\w]+$/,
    }
    for (const span of spans) {
      for (const [name, value] of Object.entries(readAttributes(span))) {
        expect(known, span.name).to.have.property(name)
        expect(String(value), name).to.match(known[name] ?? /^$/)
      }
    }
    const text = JSON.stringify(receiver.requests.map(({ body }) => body))
    const { apiKey, accessToken } = scene.shop
    for (const secret of [
      apiKey,
      accessToken,
      '@acme.io',
      'private-resource',
      'of-the-caller',
      '127.0.0.1',
    ]) {
      expect(text).to.not.include(secret)
    }
    expect(text).to.not.match(/SVC[A-Z]?-/)
  })
})

describe('tracing', () => {
  const warnings: unknown[] = []
  const start = (url: string, ratio: number) =>
    startTracing({
      ...{ url, headers: {}, ratio, version: '1' },
      log: { warn: (_fields, message) => warnings.push(message) },
    })
  const decide = async () => ({ recommendation: 'proceed' })

  it('links the commit of a group to every traced decision in it, and leaves others out', async () => {
    const receiver = await startTraceReceiver()
    const tracing = start(receiver.url, 1)
    const origins: unknown[] = [tracing.traceGroup.origin()]
    for (let nth = 0; nth < 3; nth += 1) {
      await tracing.traceDecision(() => {
        origins.push(tracing.traceGroup.origin())
        return decide()
      })
    }
    await tracing.traceGroup.run(origins, async () => undefined)
    tracing.traceGroup.run([undefined], () => undefined)
    await tracing.stop()
    await receiver.stop()
    const decisions = receiver.spans().filter(({ name }) => name === 'decision')
    const groups = receiver.spans().filter(({ name }) => name === 'commit group')
    expect(groups).to.have.lengthOf(1)
    expect(groups[0]?.parentSpanId).to.equal(decisions[0]?.spanId)
    expect(groups[0]?.links.map(({ spanId }) => spanId)).to.deep.equal(
      decisions.slice(1).map(({ spanId }) => spanId),
    )
  })

  it('marks what fails with the kind of the failure, never with its message', async () => {
    const receiver = await startTraceReceiver()
    const tracing = start(receiver.url, 1)
    const fault = Object.assign(new Error('secret of a caller'), { code: 'ECONNREFUSED' })
    const failing = () => Promise.reject(fault)
    await tracing.traceRound(failing, async () => []).catch(() => undefined)
    await tracing.traceDecision(failing).catch(() => undefined)
    const sent = async () => ({ status: null, fault: 'timed_out' as const })
    const send = tracing.traceDelivery(sent, async () => null)
    const attempt = { url: 'https://a', eventId: 'e', payload: 'p', now: 0, secrets: [], isProbe: true }
    await send(attempt, new AbortController().signal)
    await tracing.stop()
    await receiver.stop()
    const found = receiver
      .spans()
      .map((span) => [span.name, readAttributes(span)['error.type'], span.status.code])
    expect(found).to.have.deep.members([
      ['relayer round', 'ECONNREFUSED', 2],
      ['decision', 'ECONNREFUSED', 2],
      ['webhook delivery', 'timed_out', 2],
    ])
    expect(JSON.stringify(receiver.requests)).to.not.include('secret of a caller')
  })

  it('leaves out the share of requests that is not sampled, and their parts', async () => {
    const receiver = await startTraceReceiver()
    const tracing = start(receiver.url, 0)
    await tracing.traceDecision(async () => {
      tracing.traceGroup.run([tracing.traceGroup.origin()], () => undefined)
      expect(tracing.traceHeaders().traceparent).to.match(/-00$/)
      return decide()
    })
    await tracing.stop()
    await receiver.stop()
    expect(receiver.requests).to.deep.equal([])
    expect(tracing.traceHeaders()).to.deep.equal({})
  })

  it('does not let a caller have its requests sampled, whichever trace id it chooses', async () => {
    const receiver = await startTraceReceiver()
    const tracing = start(receiver.url, 1e-12)
    const req = new IncomingMessage(new Socket())
    req.headers.traceparent = `00-${'1'.padStart(32, '0')}-${CALLER_SPAN}-01`
    await tracing.traceRequest({ method: 'GET', path: '/' }, req, new ServerResponse(req), async () => {
      expect(tracing.traceHeaders().traceparent).to.match(/^00-0{31}1-[0-9a-f]{16}-00$/)
    })
    await tracing.stop()
    await receiver.stop()
    expect(receiver.requests).to.deep.equal([])
  })

  it('warns once if the receiver does not accept spans, and does not fail the work', async () => {
    const receiver = await startTraceReceiver()
    receiver.mood.status = 400
    const tracing = start(receiver.url, 1)
    expect(await tracing.traceDecision(decide)).to.deep.equal({ recommendation: 'proceed' })
    await tracing.stop()
    await receiver.stop()
    expect(warnings).to.deep.equal(['traces cannot be exported'])
  })

  it('is off unless a receiver is named, and rejects a share above one and malformed headers', () => {
    const read = (settings: Record<string, string>) => () =>
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', ...settings }).tracing
    expect(readConfig({}).tracing).to.equal(null)
    expect(read({})()).to.deep.equal({ url: 'http://collector:4318/v1/traces', headers: {}, ratio: 1 })
    expect(read({ OTEL_TRACES_SAMPLER_ARG: '0.05' })()?.ratio).to.equal(0.05)
    expect(read({ OTEL_TRACES_SAMPLER_ARG: '2' })).to.throw('OTEL_TRACES_SAMPLER_ARG')
    for (const OTEL_EXPORTER_OTLP_HEADERS of ['secret', 'a=%', 'a=%FF', 'a b=c']) {
      expect(read({ OTEL_EXPORTER_OTLP_HEADERS })).to.throw('OTEL_EXPORTER_OTLP_HEADERS')
    }
  })
})
