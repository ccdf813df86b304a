import { apiError } from '../errors.ts'
import type { Principal } from './principal.ts'

/**
 * Requires a recent passkey assertion in this session, for operations whose body decides whether one is needed.
 *
 * Operations that always need one say so in the table of routes (`elevatedSession`).
 *
 * @throws ApiError ELEVATION_REQUIRED; SESSION_REQUIRED for an API key; UNAUTHENTICATED for any other caller.
 */
export function requireElevation(principal: Principal): void {
  if (principal.kind === 'apiKey') throw apiError('SESSION_REQUIRED')
  if (principal.kind !== 'session') throw apiError('UNAUTHENTICATED')
  if (!principal.isElevated) throw apiError('ELEVATION_REQUIRED')
}
