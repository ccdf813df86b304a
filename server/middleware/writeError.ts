import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, apiError, type ErrorCode } from '../errors.ts'
import { acceptsProblem } from './acceptsProblem.ts'
import { buildErrorBody } from './buildErrorBody.ts'
import { INTERFACE_VERSION } from './writeAnswer.ts'

/** The log of failures for the operator. */
export type ErrorLog = {
  error(fields: object, message: string): void
  debug(fields: object, message: string): void
  /** A 503, which during an outage is the response to every request. */
  unavailable(fields: RefusalFields, message: string): void
}

export type RefusalFields = { requestId: string; code: ErrorCode; detail: string | undefined; err: unknown }

/**
 * The only writer of errors: any thrown value becomes a body with the specification's code that is also valid RFC 9457.
 *
 * Anything other than an ApiError is a fault of ours: 500 without detail, and all of it in the log under the request id.
 *
 * @param budget Headers of the budget in which the call was counted. A 429 has only its own, because another limit refused
 * it. Source: RFC 9457 §3.
 */
export function writeError(
  log: ErrorLog,
  req: IncomingMessage,
  res: ServerResponse,
  thrown: unknown,
  requestId: string,
  budget: Record<string, string> = {},
): void {
  const error = thrown instanceof ApiError ? thrown : apiError('INTERNAL_ERROR', { cause: thrown })
  const fields = { requestId, code: error.code, detail: error.detail, err: error.cause }
  if (error.status === 503) log.unavailable(fields, error.message)
  else if (error.status >= 500) log.error(fields, error.message)
  else log.debug(fields, error.message)
  if (res.headersSent) {
    res.destroy()
    return
  }
  const problem = acceptsProblem(req.headers.accept)
  const payload = JSON.stringify(buildErrorBody(error, (req.url ?? '').split('?')[0] ?? '', requestId))
  res.writeHead(error.status, {
    'Content-Type': problem ? 'application/problem+json' : 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(payload),
    'X-Request-Id': requestId,
    'X-Svc-Version': INTERFACE_VERSION,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(error.status === 503 ? { 'Retry-After': '1' } : {}),
    ...(error.status === 429 ? {} : budget),
    ...error.headers,
  })
  res.end(payload)
}
