import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TraceHeaders } from '../outbound/outboundHttp.ts'
import type { SendWebhook } from '../outbound/sendWebhook.ts'

/** An intent that was ordered in a trace and is settled; times are epoch milliseconds. */
export type TracedIntent = {
  kind: string
  /** The `traceparent` of the span in which it was ordered. */
  traceParent: string
  orderedAt: number
  settledAt: number
  hasFailed: boolean
  /** Number of nonces reserved for it. */
  attempts: number
}

/** Records what the service does as spans; undefined wherever nobody asked for traces, so that these cost nothing. */
export type Tracing = {
  /** Surrounds a request, as part of the caller's trace if there is one. */
  traceRequest(
    route: { method: string; path: string },
    req: IncomingMessage,
    res: ServerResponse,
    work: () => Promise<void>,
  ): Promise<void>
  /** Surrounds one decision of verify-access. */
  traceDecision<Answer extends { recommendation: string }>(decide: () => Promise<Answer>): Promise<Answer>
  /** Surrounds the commit of a group, as part of its first traced decision; the span links to the others. */
  traceGroup: {
    /** The running span, to be passed to `run` later. */
    origin(): unknown
    /** The running span as `traceparent`; null if it is not sampled. */
    traceParent(): string | null
    run<Result>(origins: readonly unknown[], work: () => Result): Result
  }
  /**
   * Surrounds each attempt of a delivery, as part of the trace in which its event was recorded; a test is part of the
   * request that asks for it.
   *
   * @param findOrigin Finds the `traceparent` of the span that recorded an event.
   */
  traceDelivery(send: SendWebhook, findOrigin: (eventId: string) => Promise<string | null>): SendWebhook
  /**
   * Surrounds a round of the relayer, which returns how many intents moved, and exports the intents that it settled as
   * part of the traces in which they were ordered.
   */
  traceRound(
    round: () => Promise<number>,
    takeSettled: () => Promise<readonly TracedIntent[]>,
  ): Promise<number>
  traceHeaders: TraceHeaders
  /** Exports what is left. */
  stop(): Promise<void>
}
