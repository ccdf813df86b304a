import type { Pdlss } from '../pdlss/pdlss.ts'
import type { AccessLevel } from './decision.ts'
import { intersectPolicies } from './intersectPolicies.ts'

/** What token a counterparty should issue after a grant. Spec: Verification response, tokenGuidance. */
export type TokenGuidance = {
  scopes: readonly string[]
  ttlSeconds: number
  rateLimit: { transactionsPerHour: number | null }
}

type GuidanceInput = {
  endpoint: Pdlss
  /** The agent's own boundary, only when the caller is the agent's owner; without it guidance rests on the endpoint's policy alone. */
  agent: Pdlss | undefined
  accessLevel: AccessLevel
  sessionSeconds: number
}

/** Token lifetime in seconds where no boundary names one. */
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
 * Recommends scopes, lifetime and rate of a token.
 *
 * The agent's limits belong to its owner: for anyone else leave `agent` out, and nothing of them can be in the answer; then the session
 * length, which may be the agent's limit, is left out of the lifetime as well. Spec: Visibility.
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
