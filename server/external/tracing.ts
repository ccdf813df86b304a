import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TraceHeaders } from './outboundHttp.ts'
import type { SendWebhook } from './sendWebhook.ts'

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
    run<Result>(origins: readonly unknown[], work: () => Result): Result
  }
  /** Surrounds each attempt of a delivery. */
  traceDelivery(send: SendWebhook): SendWebhook
  /** Surrounds a round of the relayer, which returns how many intents moved. */
  traceRound(round: () => Promise<number>): Promise<number>
  traceHeaders: TraceHeaders
  /** Exports what is left. */
  stop(): Promise<void>
}
