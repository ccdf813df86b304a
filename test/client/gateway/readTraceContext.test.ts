import { readTraceContext } from '@svc/client/gateway/readTraceContext.ts'
import { expect } from 'chai'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${SPAN}-01`

describe('readTraceContext', () => {
  it('reads traceparent and tracestate of any form of headers, and nothing else', () => {
    const pairs = {
      Traceparent: traceparent,
      tracestate: 'vendor=a,other@x=b c',
      baggage: 'user=1',
      cookie: 'a=b',
    }
    const expected = { traceparent, tracestate: 'vendor=a,other@x=b c' }
    for (const headers of [pairs, new Headers(pairs), Object.entries(pairs)])
      expect(readTraceContext(headers)).to.deep.equal(expected)
    expect(readTraceContext({ traceparent })).to.deep.equal({ traceparent })
    expect(readTraceContext({ traceparent, tracestate: ['a=1', 'b=2'] })).to.deep.equal({
      traceparent,
      tracestate: 'a=1, b=2',
    })
  })

  for (const [what, wrong] of [
    ['nothing', undefined],
    ['a word', 'trace'],
    ['two values', [traceparent, traceparent]],
    ['capital letters', traceparent.toUpperCase()],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a further member', `${traceparent}-00`],
    ['a second line', `${traceparent}\r\nx-own: 1`],
  ] as const) {
    it(`returns no header for a traceparent with ${what}`, () => {
      expect(readTraceContext({ traceparent: wrong, tracestate: 'vendor=a' })).to.deep.equal({})
    })
  }

  for (const [what, wrong] of [
    ['more than 512 characters', `vendor=${'a'.repeat(256)},other=${'b'.repeat(256)}`],
    ['a member without a value', 'vendor'],
    ['a control character', 'vendor=a\u0007'],
    ['a second line', 'vendor=a\r\nx-own: 1'],
  ] as const) {
    it(`leaves out a tracestate with ${what}`, () => {
      expect(readTraceContext({ traceparent, tracestate: wrong })).to.deep.equal({ traceparent })
    })
  }

  it('leaves the trace to the instrumentation of a program that OpenTelemetry traces', () => {
    const api = Symbol.for('opentelemetry.js.api.1')
    const before = Reflect.get(globalThis, api)
    Reflect.set(globalThis, api, { propagation: {} })
    try {
      expect(readTraceContext({ traceparent })).to.deep.equal({})
    } finally {
      Reflect.set(globalThis, api, before)
    }
    expect(readTraceContext({ traceparent })).to.deep.equal({ traceparent })
  })
})
