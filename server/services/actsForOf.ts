import type { Principal } from './principal.ts'

const NO_OWNERS: ReadonlySet<string> = new Set()

/** The owner identifiers a caller speaks for; none without an account's credential. */
export function actsForOf(principal: Principal): ReadonlySet<string> {
  return principal.kind === 'apiKey' || principal.kind === 'session' ? principal.actsFor : NO_OWNERS
}
