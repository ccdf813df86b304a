import { compileLimits } from '../pdlss/compileLimits.ts'
import type { Pdlss } from '../pdlss/pdlss.ts'

/**
 * Intersects the boundaries of an agent and an endpoint, to show the agent's owner what applies there.
 *
 * The result has the lower of two numbers, the common items of two lists, and the denials of both sides. Resource globs and
 * weekly windows cannot be intersected as values, so those of both sides are listed. For the owner only. Spec: Visibility.
 */
export function intersectPolicies(agent: Pdlss, endpoint: Pdlss): AppliedPolicy {
  return {
    purpose: {
      categories: common(agent.purpose?.categories, endpoint.purpose?.categories),
      allowedActions: common(agent.purpose?.allowedActions, endpoint.purpose?.allowedActions, narrowerAction),
      deniedActions: united(agent.purpose?.deniedActions, endpoint.purpose?.deniedActions),
    },
    duration: {
      maxSessionDuration: tighter(agent.duration?.maxSessionDuration, endpoint.duration?.maxSessionDuration),
      ttl: tighter(agent.duration?.ttl, endpoint.duration?.ttl),
      windows: [windowOf(agent.duration), windowOf(endpoint.duration)].filter(
        (window) => window !== undefined,
      ),
    },
    limits: appliedLimits(agent.limits, endpoint.limits),
    scope: {
      jurisdictions: common(agent.scope?.jurisdictions, endpoint.scope?.jurisdictions),
      resources: [agent.scope?.resources, endpoint.scope?.resources].filter((globs) => isRestricting(globs)),
      deniedResources: united(agent.scope?.deniedResources, endpoint.scope?.deniedResources),
      resourceTypes: restricting(endpoint.scope?.resourceTypes),
      requiredCertifications: restricting(endpoint.scope?.requiredCertifications),
      counterparties: restricting(agent.scope?.counterparties),
    },
    selfInstantiation: appliedSelfInstantiation(agent.selfInstantiation, endpoint.selfInstantiation),
  }
}

type Names = readonly string[]

type Window = Pick<NonNullable<Pdlss['duration']>, 'allowedDays' | 'allowedHours' | 'timezone'>

/** The intersection of two boundaries; a missing member is no restriction. */
export type AppliedPolicy = {
  purpose: { categories?: Names; allowedActions?: Names; deniedActions?: Names }
  duration: { maxSessionDuration?: number; ttl?: number; windows: readonly Window[] }
  limits: NonNullable<Pdlss['limits']>
  scope: {
    jurisdictions?: Names
    resources: readonly Names[]
    deniedResources?: Names
    resourceTypes?: Names
    requiredCertifications?: Names
    counterparties?: Names
  }
  selfInstantiation: NonNullable<Pdlss['selfInstantiation']>
}

/** Uses the compiled thresholds, so that a side's Hard Limit applies whichever threshold it was written as. */
function appliedLimits(agent: Pdlss['limits'], endpoint: Pdlss['limits']): AppliedPolicy['limits'] {
  const own = compileLimits(agent, undefined)
  const theirs = compileLimits(endpoint, undefined)
  return {
    autonomousThreshold: finite(Math.min(own.autonomousThreshold, theirs.autonomousThreshold)),
    stepUpThreshold: finite(Math.min(own.freshThreshold, theirs.freshThreshold)),
    approvalThreshold: finite(Math.min(own.hardLimit, theirs.hardLimit)),
    maxTransactionsPerHour: tighter(agent?.maxTransactionsPerHour, endpoint?.maxTransactionsPerHour),
    currency: agent?.currency ?? endpoint?.currency,
    maxCumulativeSpend: endpoint?.maxCumulativeSpend,
    cumulativePeriod: endpoint?.cumulativePeriod,
  }
}

function finite(value: number): number | undefined {
  return value === Number.POSITIVE_INFINITY ? undefined : value
}

function appliedSelfInstantiation(
  agent: Pdlss['selfInstantiation'],
  endpoint: Pdlss['selfInstantiation'],
): AppliedPolicy['selfInstantiation'] {
  return {
    allowed: agent?.allowed === true && endpoint?.allowed !== false,
    maxSubAgents: tighter(agent?.maxSubAgents, endpoint?.maxSubAgents),
    maxDepth: tighter(agent?.maxDepth, endpoint?.maxDepth),
    inheritPermissions: agent?.inheritPermissions === true || endpoint?.inheritPermissions === true,
    requireApproval: agent?.requireApproval === true || endpoint?.requireApproval === true,
    allowedSubAgentPurposes: endpoint?.allowedSubAgentPurposes,
  }
}

function tighter(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right
  return right === undefined ? left : Math.min(left, right)
}

/** The common names of two lists. Here an empty result lets nothing pass, and undefined is no restriction. */
function common(
  left: Names | undefined,
  right: Names | undefined,
  narrower: (left: string, right: string) => string | undefined = sameName,
): Names | undefined {
  if (!isRestricting(left)) return restricting(right)
  if (!isRestricting(right)) return left
  const names = left.flatMap((name) => right.map((other) => narrower(name, other)))
  return [...new Set(names.filter((name) => name !== undefined))]
}

function sameName(left: string, right: string): string | undefined {
  return left.toLowerCase() === right.toLowerCase() ? left : undefined
}

/** A bare action means that action in every category, so the qualified name is narrower. */
function narrowerAction(left: string, right: string): string | undefined {
  const [a, b] = [left.toLowerCase().replace(':', '.'), right.toLowerCase().replace(':', '.')]
  if (a === b || a.endsWith(`.${b}`)) return a
  return b.endsWith(`.${a}`) ? b : undefined
}

function restricting(names: Names | undefined): Names | undefined {
  return isRestricting(names) ? names : undefined
}

function united(left: Names | undefined, right: Names | undefined): Names | undefined {
  const names = [...new Set([...(left ?? []), ...(right ?? [])])]
  return names.length === 0 ? undefined : names
}

function isRestricting(names: Names | undefined): names is Names {
  return names !== undefined && names.length > 0
}

function windowOf(duration: Pdlss['duration']): Window | undefined {
  const { allowedDays, allowedHours, timezone } = duration ?? {}
  if (!(allowedDays !== undefined && allowedDays.length > 0) && allowedHours === undefined) return undefined
  return { allowedDays, allowedHours, timezone: timezone ?? 'UTC' }
}
