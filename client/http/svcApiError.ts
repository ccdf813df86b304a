/** What is known of a call that failed; `status` is 0 when no usable answer came at all. */
type SvcApiFailure = {
  code: string
  status: number
  message: string
  requestId?: string | null
  retryAfterSeconds?: number | null
  errors?: readonly { pointer: string; code: string; message: string }[]
  cause?: unknown
}

/**
 * A call that the service refused, or that did not reach it.
 *
 * `code` is the service's own, such as `COUNTERPARTY_KEY_MISMATCH`, or one of the library's: `NETWORK_ERROR`,
 * `TIMEOUT`, `INVALID_RESPONSE`. Quote `requestId` when asking the operator: it stands in the service's log.
 *
 * Source: api.md "Envelope"; Spec: Errors.
 */
export class SvcApiError extends Error {
  override readonly name = 'SvcApiError'
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** Seconds to wait before the next try, when the service said so. */
  readonly retryAfterSeconds: number | null
  /** What is wrong with which field, for `VALIDATION_ERROR`. */
  readonly errors: readonly { pointer: string; code: string; message: string }[]

  constructor(failure: SvcApiFailure) {
    super(failure.message, { cause: failure.cause })
    this.code = failure.code
    this.status = failure.status
    this.requestId = failure.requestId ?? null
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null
    this.errors = failure.errors ?? []
  }
}
