import { type HeadersToRead, readHeaders } from '../http/readHeaders.ts'

/** Of a version whose members are those of version 00: trace, span and flags. Neither identifier may be zero. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
/** A longer list need not be passed on. */
const TRACESTATE_CHARACTERS_MAX = 512
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/
/** Where the API of OpenTelemetry stores what a program has registered. */
const OPENTELEMETRY = Symbol.for('opentelemetry.js.api.1')

/**
 * Returns the trace that a received request is part of, as headers of the calls that are made for it: `traceparent`, and
 * `tracestate` with it, if they are valid.
 *
 * None in a program that OpenTelemetry traces. Its instrumentation of `fetch` adds the program's own span, and a call with
 * two of them would belong to no trace.
 *
 * Source: W3C Trace Context §3.2, §3.3.
 */
export function readTraceContext(received: HeadersToRead): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = readHeaders(received)
  if (traceparent === undefined || !TRACEPARENT.test(traceparent) || isTracedHere()) return {}
  return tracestate !== undefined && isTracestate(tracestate) ? { traceparent, tracestate } : { traceparent }
}

function isTracedHere(): boolean {
  const registered: { propagation?: unknown } | undefined = Reflect.get(globalThis, OPENTELEMETRY)
  return registered?.propagation !== undefined
}

function isTracestate(text: string): boolean {
  const isShort = text.length <= TRACESTATE_CHARACTERS_MAX
  return isShort && text.split(',').every((member) => MEMBER.test(member.trim()))
}
