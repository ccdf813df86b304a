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
import type { Config } from '../config.ts'
import type { TraceHeaders } from './outboundHttp.ts'
import type { SendWebhook } from './sendWebhook.ts'
import type { Tracing } from './tracing.ts'

type TracingOptions = NonNullable<Config['tracing']> & {
  version: string
  log: { warn(fields: object, message: string): void }
}

type SpanOptions = { kind?: SpanKind; attributes?: Attributes; parent?: Context; links?: Link[] }

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
      run(origins, work) {
        const [parent, ...others] = (origins as (Context | undefined)[]).filter(isSampled)
        if (parent === undefined) return work()
        const links = others.flatMap((context) => trace.getSpanContext(context) ?? [])
        const attributes = { 'svc.group.size': origins.length }
        const options = { parent, attributes, links: links.map((context) => ({ context })) }
        const { span } = start('commit group', options)
        return endWith(span, work)
      },
    },
    traceDelivery: (send) => traceDelivery(runIn, send),
    async traceRound(round) {
      const { span, context } = start('relayer round', { parent: ROOT_CONTEXT })
      try {
        const moved = await current.run(context, round)
        span.setAttribute('svc.intents.moved', moved)
        // A round without work is not exported: there is one every few seconds.
        if (moved > 0) span.end()
        return moved
      } catch (error) {
        fail(span, error)
        span.end()
        throw error
      }
    },
    traceHeaders(): ReturnType<TraceHeaders> {
      const running = trace.getSpanContext(current.getStore() ?? ROOT_CONTEXT)
      if (running === undefined) return {}
      const flags = running.traceFlags.toString(16).padStart(2, '0')
      return { traceparent: `00-${running.traceId}-${running.spanId}-${flags}` }
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

function traceDelivery(runIn: RunIn, send: SendWebhook): SendWebhook {
  return (attempt, signal) => {
    const attributes = { 'http.request.method': 'POST', 'svc.webhook.probe': attempt.isProbe }
    const options = { kind: SpanKind.CLIENT, attributes, parent: ROOT_CONTEXT }
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
