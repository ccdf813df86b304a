import type { Once } from '../services/idempotency/answerOnce.ts'
import type { Principal } from '../services/principal.ts'
import type { BudgetName } from './rateBudget.ts'
import type { Upload } from './readUpload.ts'

/** One request after its border checks; all that a route handler sees. */
export type Call = {
  requestId: string
  principal: Principal
  /** Address of the peer; never taken from a header. */
  ip: string
  /** Epoch milliseconds at which the request was taken up. */
  now: number
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  header(name: string): string | undefined
  /** Who the credential stands for by now; null when it has expired or was revoked. For answers that go on. */
  refresh(): Promise<Principal | null>
  /** Counts what the request does besides its own operation, for whoever does it. @throws ApiError RATE_LIMITED. */
  take(budget: BudgetName, holder: Principal): Promise<void>
  /** Parsed JSON body, still untyped; undefined on a request without one. */
  body: unknown
  /** Reads the body of an operation that takes files, when its handler knows that it may be sent. */
  readUpload(): Promise<Upload>
}

/** A request that may carry an Idempotency-Key. */
export type RepeatableCall = Call & {
  /**
   * Does the part of the work that a repetition under the same key must not do again. After a crash, a repetition gets the
   * result that the transaction of `work` stored.
   */
  once: Once
}

/** What a route handler answers; `body` is serialised once, by `writeAnswer`, unless it is text already. */
export type Answer = {
  status?: number
  headers?: Record<string, string>
  body: unknown
  /** Set for bodies that are not JSON; `body` is then a string or a Buffer. */
  contentType?: string
  /** Set for an answer that goes on; `body` is then of no meaning. */
  stream?: AnswerStream
}

/** The parts of an answer that goes on until they end or the signal is given, because the caller has gone. */
export type AnswerStream = {
  chunks(signal: AbortSignal): AsyncIterable<string>
  /** How long a reader may leave what was sent to it; then it is cut off. */
  stallMs: number
}

export type Handler = (call: RepeatableCall) => Promise<Answer> | Answer
