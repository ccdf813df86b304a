import { BaseError, HttpRequestError, LimitExceededRpcError, TimeoutError } from 'viem'

/** Whether a call failed on its way to the node and may work in a moment; a refusal or an odd answer is not that. */
export function isTransportFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof HttpRequestError ||
      inner instanceof TimeoutError ||
      inner instanceof LimitExceededRpcError,
  )
  if (!(cause instanceof HttpRequestError) || cause.status === undefined) return cause !== null
  return cause.status === 429 || cause.status >= 500
}
