import type { Principal } from './principal.ts'

const NO_OWNERS: ReadonlySet<string> = new Set()

/** The owner identifiers that a caller acts for; empty without the credential of an account. */
export function actsForOf(principal: Principal): ReadonlySet<string> {
  return principal.kind === 'apiKey' || principal.kind === 'session' ? principal.actsFor : NO_OWNERS
}
