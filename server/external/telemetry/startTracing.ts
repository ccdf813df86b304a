import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../../config.ts'
import type { TraceHeaders } from '../outbound/outboundHttp.ts'
import type { SendWebhook } from '../outbound/sendWebhook.ts'
import type { TracedIntent, Tracing } from './tracing.ts'

type TracingOptions = NonNullable<Config['tracing']> & {
  version: string
  log: { warn(fields: object, message: string): void }
}

type SpanOptions = {
  kind?: SpanKind
  attributes?: Attributes
  parent?: Context
  links?: Link[]
  startTime?: Date
}

/**
 * Starts to export traces with OTLP over HTTP, as JSON.
 *
 * Attributes are names of routes, statuses and numbers, never anything that a caller wrote. A caller's trace is continued,
 * but whether it is sampled is decided here, so that callers cannot make every request be traced. Only the identifiers of a
 * trace are passed on, because its `tracestate` is between the caller and this service. If the receiver does not accept
 * spans, they are dropped and a warning is logged once.
 *
 * Source: W3C Trace Context; OpenTelemetry, semantic conventions for HTTP.
 */
export function startTracing({ url, headers, ratio, version, log }: TracingOptions): Tracing {
  const sampler = sampleAtRandom(ratio)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'svc-registry', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reportFailures(new OTLPTraceExporter({ url, headers }), log) }),
    ],
  })
  const tracer = provider.getTracer('svc-registry', version)
  const current = new AsyncLocalStorage<Context>()

  const start = (name: string, { parent = current.getStore() ?? ROOT_CONTEXT, ...options }: SpanOptions) => {
    const span = tracer.startSpan(name, options, parent)
    return { span, context: trace.setSpan(parent, span) }
  }

  /** Runs some work in a span, which ends with it. */
  const runIn = async <Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> => {
    const { span, context } = start(name, options)
    try {
      return await current.run(context, work, span)
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
    }
  }

  /** Exports an intent as a span from its order to its end, with a link to the round that ended it. */
  const exportIntent = (intent: TracedIntent, round: Context) => {
    const { span } = start(`intent ${intent.kind}`, {
      parent: continueTrace(intent.traceParent),
      startTime: new Date(intent.orderedAt),
      attributes: { 'svc.intent.attempts': intent.attempts },
      links: linksTo([round]),
    })
    if (intent.hasFailed) fail(span, { code: 'failed' })
    span.end(new Date(intent.settledAt))
  }

  return {
    traceRequest({ method, path }, req, res, work) {
      const attributes = { 'http.request.method': method, 'http.route': path }
      const parent = readParent(req.headers.traceparent)
      return runIn(`${method} ${path}`, { kind: SpanKind.SERVER, attributes, parent }, async (span) => {
        await work()
        span.setAttribute('http.response.status_code', res.statusCode)
        if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      })
    },
    traceDecision: (decide) =>
      runIn('decision', {}, async (span) => {
        const answer = await decide()
        span.setAttribute('svc.recommendation', answer.recommendation)
        return answer
      }),
    traceGroup: {
      origin: () => current.getStore(),
      traceParent() {
        const running = current.getStore()
        return isSampled(running) ? formatTraceParent(running) : null
      },
      run(origins, work) {
        const [parent, ...others] = (origins as (Context | undefined)[]).filter(isSampled)
        if (parent === undefined) return work()
        const attributes = { 'svc.group.size': origins.length }
        const { span } = start('commit group', { parent, attributes, links: linksTo(others) })
        return endWith(span, work)
      },
    },
    traceDelivery: (send, findOrigin) => traceDelivery(runIn, send, findOrigin),
    async traceRound(round, takeSettled) {
      const { span, context } = start('relayer round', { parent: ROOT_CONTEXT })
      try {
        const moved = await current.run(context, round)
        span.setAttribute('svc.intents.moved', moved)
        // A round without work is not exported: there is one every few seconds.
        if (moved === 0) return moved
        // Without their origins the intents are not exported, which must not fail the round.
        for (const intent of await takeSettled().catch(() => [])) exportIntent(intent, context)
        span.end()
        return moved
      } catch (error) {
        fail(span, error)
        span.end()
        throw error
      }
    },
    traceHeaders(): ReturnType<TraceHeaders> {
      const traceparent = formatTraceParent(current.getStore() ?? ROOT_CONTEXT)
      return traceparent === null ? {} : { traceparent }
    },
    // A failure has been logged.
    stop: () => provider.shutdown().catch(() => undefined),
  }
}

/** The usual sampler decides by the trace id, which the caller chooses. */
function sampleAtRandom(ratio: number): Sampler {
  const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision
  return {
    shouldSample: () => ({ decision: Math.random() < ratio ? RECORD_AND_SAMPLED : NOT_RECORD }),
    toString: () => `random ${ratio}`,
  }
}

type RunIn = <Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
) => Promise<Result>

function traceDelivery(
  runIn: RunIn,
  send: SendWebhook,
  findOrigin: (eventId: string) => Promise<string | null>,
): SendWebhook {
  return async (attempt, signal) => {
    const { isProbe, eventId } = attempt
    const attributes = { 'http.request.method': 'POST', 'svc.webhook.probe': isProbe }
    // An attempt matters more than its trace.
    const origin = isProbe ? null : await findOrigin(eventId).catch(() => null)
    const parent = isProbe ? {} : { parent: origin === null ? ROOT_CONTEXT : continueTrace(origin) }
    const options = { kind: SpanKind.CLIENT, attributes, ...parent }
    return runIn('webhook delivery', options, async (span) => {
      const answer = await send(attempt, signal)
      if (answer.status === null) fail(span, { code: answer.fault })
      else span.setAttribute('http.response.status_code', answer.status)
      return answer
    })
  }
}

/** Messages of errors are left out, because they may contain what a caller wrote. */
function fail(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Ends a span with some work, which may or may not return a promise. */
function endWith<Result>(span: Span, work: () => Result): Result {
  const endFailed = (error: unknown): never => {
    fail(span, error)
    span.end()
    throw error
  }
  try {
    const result = work()
    if (!(result instanceof Promise)) {
      span.end()
      return result
    }
    const ended = result.then((value: unknown) => {
      span.end()
      return value
    }, endFailed)
    // The same promise as the work's, only later.
    return ended as Result
  } catch (error) {
    return endFailed(error)
  }
}

function isSampled(context: Context | undefined): context is Context {
  const running = context && trace.getSpanContext(context)
  return running !== undefined && (running.traceFlags & 1) === 1
}

function linksTo(contexts: readonly Context[]): Link[] {
  const running = contexts.filter(isSampled).flatMap((context) => trace.getSpanContext(context) ?? [])
  return running.map((context) => ({ context }))
}

function formatTraceParent(context: Context): string | null {
  const running = trace.getSpanContext(context)
  if (running === undefined) return null
  const flags = running.traceFlags.toString(16).padStart(2, '0')
  return `00-${running.traceId}-${running.spanId}-${flags}`
}

/** A span that this service stored. It was sampled then, so what continues it is: the sampler decides only about callers. */
function continueTrace(traceParent: string): Context {
  const origin = parseTraceParent(traceParent)
  return origin === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...origin, isRemote: false })
}

/** The span of the caller, or none if the header is not one `traceparent`. */
function readParent(header: string | string[] | undefined): Context {
  const caller = typeof header === 'string' ? parseTraceParent(header) : null
  return caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
}

function reportFailures(exporter: SpanExporter, log: TracingOptions['log']): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing) log.warn({ err: result.error }, 'traces cannot be exported')
        isFailing = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}
