/** Details of a failed call; `status` is 0 if there was no usable response. */
export type SvcApiFailure = {
  code: string
  status: number
  message: string
  requestId?: string | null | undefined
  retryAfterSeconds?: number | null | undefined
  errors?: readonly { pointer: string; code: string; message: string }[] | undefined
  cause?: unknown
}

/**
 * A call that the service refused, or that did not reach it.
 *
 * `code` is either one of the service's codes, such as `COUNTERPARTY_KEY_MISMATCH`, or one of the library's own:
 * `NETWORK_ERROR`, `TIMEOUT` and `INVALID_RESPONSE`. Send `requestId` to the operator, who can find it in the service's log.
 *
 * Source: Spec: Errors; docs/errors.md.
 */
export class SvcApiError extends Error {
  override readonly name = 'SvcApiError'
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  /** Seconds to wait before the next attempt, if the service asked for a pause. */
  readonly retryAfterSeconds: number | null
  /** The invalid fields and what is wrong with each, for `VALIDATION_ERROR`. */
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

/** True if the service is unreachable, failing or overloaded, as opposed to refusing the call. */
export function isUnavailable(error: unknown): error is SvcApiError {
  return error instanceof SvcApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}
