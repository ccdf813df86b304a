import type { Once } from '../services/idempotency/answerOnce.ts'
import type { Principal } from '../services/principal.ts'
import type { WaitForHost } from '../services/waitForHost.ts'
import type { BudgetName } from './rateBudget.ts'
import type { Upload } from './readUpload.ts'

/** A request that passed the checks at the border; all that a route handler sees. */
export type Call = {
  requestId: string
  principal: Principal
  /** Address of the caller, as found by `createCallerAddress`. */
  ip: string
  /** Start of processing, in epoch milliseconds. */
  now: number
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  header(name: string): string | undefined
  /** Authenticates the credential again, for streams; null if it has expired or was revoked. */
  refresh(): Promise<Principal | null>
  /** Counts additional work of the request against a budget of `holder`. @throws ApiError RATE_LIMITED. */
  take(budget: BudgetName, holder: Principal): Promise<void>
  /** Parsed JSON body, not validated yet; undefined for a request without one. */
  body: unknown
  /**
   * Reads the body of an upload, once the handler knows that it may be sent. It may take minutes, so the credential is
   * authenticated again when it is complete. @throws ApiError as `authenticate`, and the errors of reading.
   */
  readUpload(): Promise<Upload>
}

/** A request that may carry an Idempotency-Key. */
export type RepeatableCall = Call & {
  /**
   * Does the work that a repetition under the same key must not do again. After a crash, a repetition gets the result
   * stored by the transaction of `work`.
   */
  once: Once
}

/** A request whose operation may wait for hosts that users name. */
export type WaitingCall = Call & { waitForHost: WaitForHost }

/** The response of a route handler; `writeAnswer` serialises `body`, unless it is text already. */
export type Answer = {
  status?: number
  headers?: Record<string, string | string[]>
  body: unknown
  /** False for a response that is not repeated under the Idempotency-Key of a repeatable operation. */
  isRepeatable?: boolean
  /** Set for bodies that are not JSON; `body` is then a string or a Buffer. */
  contentType?: string
  /** Set for a streamed response, for which `body` is ignored. */
  stream?: AnswerStream
}

/** The chunks of a streamed response, until they end or the signal reports that the caller disconnected. */
export type AnswerStream = {
  chunks(signal: AbortSignal): AsyncIterable<string | Uint8Array>
  /** How long a reader may leave sent data unread before it is disconnected. */
  stallMs: number
}

export type Handler = (call: RepeatableCall & WaitingCall) => Promise<Answer> | Answer
