import { type ApiError, apiError } from '../../errors.ts'
import { redactValues } from '../audit/withholdValues.ts'

/** What a caller gets whose outcome is not known to be stored: ask again. */
export function serviceUnavailable(cause: unknown): ApiError {
  redactValues(cause)
  const detail = cause instanceof Error ? cause.message : String(cause)
  return apiError('SERVICE_UNAVAILABLE', { cause, detail, headers: { 'Retry-After': '1' } })
}
