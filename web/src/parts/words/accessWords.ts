import type { AccessLevel } from '@svc/core/access/decision.ts'

/** Display names of the access levels, from nothing to everything. */
export const ACCESS_NAMES: Readonly<Record<AccessLevel, string>> = {
  none: 'No access',
  restricted: 'Restricted',
  'read-only': 'Read only',
  standard: 'Standard',
  full: 'Full',
  internal: 'Internal',
}

/** What a counterparty says that it did with a request. */
const DECISIONS: Readonly<Record<string, string>> = {
  granted: 'It let the request in',
  denied: 'It turned the request away',
  challenged: 'It asked for another proof',
  deferred: 'It postponed its decision',
}

/** The display name of an access level; null if the value is none. */
export function nameAccessLevel(value: unknown): string | null {
  return find(ACCESS_NAMES, value)
}

/** What a counterparty decided, in words; null if the value is no decision. */
export function describeCounterpartyDecision(value: unknown): string | null {
  return find(DECISIONS, value)
}

function find(words: Readonly<Record<string, string>>, value: unknown): string | null {
  return typeof value === 'string' && Object.hasOwn(words, value) ? (words[value] ?? null) : null
}
