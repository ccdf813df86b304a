import { normaliseAction } from '../pdlss/actionName.ts'
import { compileLimits } from '../pdlss/compileLimits.ts'
import type { Pdlss } from '../pdlss/pdlss.ts'

/**
 * Intersects the boundaries of an agent and an endpoint, to show the agent's owner what applies there.
 *
 * The result has the form of a PDLSS object: the lower of two numbers, the common items of two lists, and the denials of
 * both sides. Resource globs and weekly windows cannot be intersected as values. If both sides have different ones, the
 * endpoint's are in `furtherResources` and `furtherWindow`, and both apply. For the owner only. Spec: Visibility; Spec:
 * PDLSS object.
 */
export function intersectPolicies(agent: Pdlss, endpoint: Pdlss): AppliedPolicy {
  return {
    purpose: {
      categories: intersectNames(agent.purpose?.categories, endpoint.purpose?.categories),
      allowedActions: intersectNames(
        agent.purpose?.allowedActions,
        endpoint.purpose?.allowedActions,
        narrowAction,
      ),
      deniedActions: uniteNames(agent.purpose?.deniedActions, endpoint.purpose?.deniedActions),
    },
    duration: {
      maxSessionDuration: takeTighter(
        agent.duration?.maxSessionDuration,
        endpoint.duration?.maxSessionDuration,
      ),
      ttl: takeTighter(agent.duration?.ttl, endpoint.duration?.ttl),
      ...combineWindows(windowOf(agent.duration), windowOf(endpoint.duration)),
    },
    limits: intersectLimits(agent.limits, endpoint.limits),
    scope: {
      jurisdictions: intersectNames(agent.scope?.jurisdictions, endpoint.scope?.jurisdictions),
      ...combineResources(agent.scope?.resources, endpoint.scope?.resources),
      unverifiedCounterpartyPolicy: agent.scope?.unverifiedCounterpartyPolicy,
      minCounterpartyTrustScore: agent.scope?.minCounterpartyTrustScore,
      deniedResources: uniteNames(agent.scope?.deniedResources, endpoint.scope?.deniedResources),
      resourceTypes: keepRestricting(endpoint.scope?.resourceTypes),
      requiredCertifications: keepRestricting(endpoint.scope?.requiredCertifications),
      counterparties: keepRestricting(agent.scope?.counterparties),
    },
    selfInstantiation: intersectSelfInstantiation(agent.selfInstantiation, endpoint.selfInstantiation),
  }
}

type Names = readonly string[]

type Window = Pick<NonNullable<Pdlss['duration']>, 'allowedDays' | 'allowedHours'> & { timezone: string }

/** The intersection of two boundaries; a missing member is no restriction. */
export type AppliedPolicy = {
  purpose: { categories?: Names; allowedActions?: Names; deniedActions?: Names }
  duration: { maxSessionDuration?: number; ttl?: number; furtherWindow?: Window } & Partial<Window>
  limits: NonNullable<Pdlss['limits']>
  scope: {
    jurisdictions?: Names
    resources?: Names
    furtherResources?: Names
    unverifiedCounterpartyPolicy?: NonNullable<Pdlss['scope']>['unverifiedCounterpartyPolicy']
    minCounterpartyTrustScore?: number
    deniedResources?: Names
    resourceTypes?: Names
    requiredCertifications?: Names
    counterparties?: Names
  }
  selfInstantiation: NonNullable<Pdlss['selfInstantiation']>
}

/** Uses the compiled thresholds, so that a side's Hard Limit applies whichever threshold it was written as. */
function intersectLimits(agent: Pdlss['limits'], endpoint: Pdlss['limits']): AppliedPolicy['limits'] {
  const own = compileLimits(agent, undefined)
  const theirs = compileLimits(endpoint, undefined)
  return {
    autonomousThreshold: toFinite(Math.min(own.autonomousThreshold, theirs.autonomousThreshold)),
    stepUpThreshold: toFinite(Math.min(own.freshThreshold, theirs.freshThreshold)),
    approvalThreshold: toFinite(Math.min(own.hardLimit, theirs.hardLimit)),
    maxTransactionsPerHour: takeTighter(agent?.maxTransactionsPerHour, endpoint?.maxTransactionsPerHour),
    currency: agent?.currency ?? endpoint?.currency,
    maxCumulativeSpend: endpoint?.maxCumulativeSpend,
    cumulativePeriod: endpoint?.cumulativePeriod,
    cumulativeScope: endpoint?.cumulativeScope,
  }
}

function toFinite(value: number): number | undefined {
  return value === Number.POSITIVE_INFINITY ? undefined : value
}

function intersectSelfInstantiation(
  agent: Pdlss['selfInstantiation'],
  endpoint: Pdlss['selfInstantiation'],
): AppliedPolicy['selfInstantiation'] {
  return {
    allowed: agent?.allowed === true && endpoint?.allowed !== false,
    maxSubAgents: takeTighter(agent?.maxSubAgents, endpoint?.maxSubAgents),
    maxDepth: takeTighter(agent?.maxDepth, endpoint?.maxDepth),
    inheritPermissions: agent?.inheritPermissions === true || endpoint?.inheritPermissions === true,
    requireApproval: agent?.requireApproval === true || endpoint?.requireApproval === true,
    allowedSubAgentPurposes: endpoint?.allowedSubAgentPurposes,
  }
}

function takeTighter(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right
  return right === undefined ? left : Math.min(left, right)
}

/** The common names of two lists. Here an empty result lets nothing pass, and undefined is no restriction. */
function intersectNames(
  left: Names | undefined,
  right: Names | undefined,
  narrower: (left: string, right: string) => string | undefined = matchName,
): Names | undefined {
  if (!isRestricting(left)) return keepRestricting(right)
  if (!isRestricting(right)) return keepRestricting(left)
  const names = left.flatMap((name) => right.map((other) => narrower(name, other)))
  return [...new Set(names.filter((name) => name !== undefined))]
}

function matchName(left: string, right: string): string | undefined {
  return left.toLowerCase() === right.toLowerCase() ? left : undefined
}

/** A bare action means that action in every category, so the qualified name is narrower. */
function narrowAction(left: string, right: string): string | undefined {
  const [a, b] = [normaliseAction(left), normaliseAction(right)]
  if (a === b || a.endsWith(`.${b}`)) return a
  return b.endsWith(`.${a}`) ? b : undefined
}

function keepRestricting(names: Names | undefined): Names | undefined {
  return isRestricting(names) ? [...new Set(names)] : undefined
}

/** Two lists become one if every glob of one is in the other. */
function combineResources(
  left: Names | undefined,
  right: Names | undefined,
): Pick<AppliedPolicy['scope'], 'resources' | 'furtherResources'> {
  const [own, theirs] = [keepRestricting(left), keepRestricting(right)]
  if (own === undefined || theirs === undefined) return { resources: own ?? theirs }
  if (own.every((glob) => theirs.includes(glob))) return { resources: own }
  if (theirs.every((glob) => own.includes(glob))) return { resources: theirs }
  return { resources: own, furtherResources: theirs }
}

function combineWindows(
  left: Window | undefined,
  right: Window | undefined,
): Partial<AppliedPolicy['duration']> {
  if (left === undefined || right === undefined) return { ...(left ?? right) }
  return JSON.stringify(left) === JSON.stringify(right) ? left : { ...left, furtherWindow: right }
}

function uniteNames(left: Names | undefined, right: Names | undefined): Names | undefined {
  const names = [...new Set([...(left ?? []), ...(right ?? [])])]
  return names.length === 0 ? undefined : names
}

function isRestricting(names: Names | undefined): names is Names {
  return names !== undefined && names.length > 0
}

function windowOf(duration: Pdlss['duration']): Window | undefined {
  const { allowedDays, allowedHours, timezone } = duration ?? {}
  if (!(allowedDays !== undefined && allowedDays.length > 0) && allowedHours === undefined) return undefined
  return {
    ...(allowedDays === undefined ? {} : { allowedDays: [...new Set(allowedDays)].sort() }),
    ...(allowedHours === undefined ? {} : { allowedHours }),
    timezone: timezone ?? 'UTC',
  }
}
