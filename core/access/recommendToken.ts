import type { Pdlss } from '../pdlss/pdlss.ts'
import type { AccessLevel } from './decision.ts'
import { intersectPolicies } from './intersectPolicies.ts'

/** The token that a counterparty should issue after a grant. Spec: Verification response, tokenGuidance. */
export type TokenGuidance = {
  scopes: readonly string[]
  ttlSeconds: number
  rateLimit: { transactionsPerHour: number | null }
}

type GuidanceInput = {
  endpoint: Pdlss
  /**
   * The agent's boundary if the caller is the agent's owner; otherwise undefined, and only the endpoint's policy is used.
   */
  agent: Pdlss | undefined
  accessLevel: AccessLevel
  sessionSeconds: number
}

/** Token lifetime in seconds when no boundary states one. */
const TTL_SECONDS_DEFAULT = 900

const LEVEL_SCOPES: Record<AccessLevel, readonly string[]> = {
  none: [],
  restricted: ['read'],
  'read-only': ['read'],
  standard: ['read', 'write'],
  full: ['read', 'write', 'transact'],
  internal: ['read', 'write', 'transact'],
}

/**
 * Recommends the scopes, lifetime and rate limit of a token.
 *
 * Only the owner may learn the agent's limits. So without `agent` the result does not depend on them, and its lifetime
 * not on the session length either, which may be one of those limits. Spec: Visibility.
 */
export function recommendToken({
  endpoint,
  agent,
  accessLevel,
  sessionSeconds,
}: GuidanceInput): TokenGuidance {
  const applied = intersectPolicies(agent ?? {}, endpoint)
  const actions = applied.purpose.allowedActions ?? applied.purpose.categories ?? []
  const ttl = applied.duration.ttl ?? applied.duration.maxSessionDuration ?? TTL_SECONDS_DEFAULT
  return {
    scopes: accessLevel === 'none' ? [] : [...LEVEL_SCOPES[accessLevel], ...actions],
    ttlSeconds: agent === undefined ? ttl : Math.min(ttl, sessionSeconds),
    rateLimit: { transactionsPerHour: applied.limits.maxTransactionsPerHour ?? null },
  }
}
