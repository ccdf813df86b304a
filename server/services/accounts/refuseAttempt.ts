import { apiError } from '../../errors.ts'
import type { CountedAttempt } from './createAttemptCounter.ts'

/** Refuses a try that was counted and is one too many. @throws ApiError RATE_LIMITED with `Retry-After`. */
export function refuseAttempt(counted: CountedAttempt): void {
  if (counted.isAllowed) return
  throw apiError('RATE_LIMITED', { headers: { 'Retry-After': String(counted.retryAfterSeconds) } })
}
