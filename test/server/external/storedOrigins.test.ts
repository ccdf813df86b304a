import { expect } from 'chai'
import { startTracing } from '../../../server/external/telemetry/startTracing.ts'
import { readAttributes, startTraceReceiver } from '../../harness/peers/startTraceReceiver.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER_SPAN = '00f067aa0ba902b7'

describe('tracing from stored origins', () => {
  const start = (url: string, ratio: number) =>
    startTracing({ url, headers: {}, ratio, version: '1', log: { warn: () => undefined } })

  it('delivers an event in a trace of its own if its origin cannot be read, and finishes such a round', async () => {
    const receiver = await startTraceReceiver()
    const tracing = start(receiver.url, 1)
    const fail = () => Promise.reject(new Error('the database is away'))
    const attempt = { url: 'https://a', eventId: 'e', payload: 'p', now: 0, secrets: [], isProbe: false }
    const send = tracing.traceDelivery(async () => ({ status: 200 }), fail)
    expect(await send(attempt, new AbortController().signal)).to.deep.equal({ status: 200 })
    expect(await tracing.traceRound(async () => 3, fail)).to.equal(3)
    await tracing.stop()
    await receiver.stop()
    expect(receiver.spans().map(({ name, parentSpanId }) => [name, parentSpanId ?? ''])).to.deep.equal([
      ['webhook delivery', ''],
      ['relayer round', ''],
    ])
  })

  it('exports what was ordered in a sampled span, however few requests are sampled, and says if it failed', async () => {
    const receiver = await startTraceReceiver()
    const tracing = start(receiver.url, 0)
    const times = { orderedAt: 1_000, settledAt: 61_000 }
    const traceParent = `00-${TRACE_ID}-${CALLER_SPAN}-01`
    const intent = { kind: 'identity.transfer', traceParent, ...times, hasFailed: true, attempts: 8 }
    await tracing.traceRound(
      async () => 1,
      async () => [intent],
    )
    await tracing.stop()
    await receiver.stop()
    const [span, ...others] = receiver.spans()
    expect(others).to.deep.equal([])
    if (span === undefined) throw new Error('no span of the intent')
    expect(span).to.include({
      name: 'intent identity.transfer',
      traceId: TRACE_ID,
      parentSpanId: CALLER_SPAN,
    })
    expect([span.startTimeUnixNano, span.endTimeUnixNano]).to.deep.equal(['1000000000', '61000000000'])
    expect([span.links, span.status.code]).to.deep.equal([[], 2])
    expect(readAttributes(span)).to.deep.equal({ 'svc.intent.attempts': 8, 'error.type': 'failed' })
  })
})
