import { apiError } from '../errors.ts'
import type { Principal } from './principal.ts'

/**
 * Checks that the caller has just used a passkey in this session; for operations where that hangs on the body.
 *
 * One that always wants it says so in the table (`elevatedSession`).
 *
 * @throws ApiError ELEVATION_REQUIRED; SESSION_REQUIRED for an API key; UNAUTHENTICATED for everybody else.
 * Source: api.md "Accounts" (`X-Svc-Elevation`).
 */
export function requireElevation(principal: Principal): void {
  if (principal.kind === 'apiKey') throw apiError('SESSION_REQUIRED')
  if (principal.kind !== 'session') throw apiError('UNAUTHENTICATED')
  if (!principal.isElevated) throw apiError('ELEVATION_REQUIRED')
}
