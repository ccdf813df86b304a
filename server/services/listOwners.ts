import type { SessionPrincipal } from './principal.ts'

/**
 * Lists the owners whose things a list shows: all that the caller acts for, or only one of them.
 *
 * For an owner that the caller does not act for there are none, so that a list does not tell whether it exists.
 */
export function listOwners(principal: SessionPrincipal, only: string | undefined): string[] {
  if (only === undefined) return [...principal.actsFor]
  return principal.actsFor.has(only) ? [only] : []
}
