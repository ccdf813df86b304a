import type { FieldError } from '../fieldErrors.ts'
import { coversGlobs } from '../glob/coversGlobs.ts'
import { coversWindow } from '../time/weeklyWindow.ts'
import { bareActionOf, normaliseAction } from './actionName.ts'
import { compileLimits } from './compileLimits.ts'
import { parseCounterparty } from './counterparty.ts'
import type { Pdlss } from './pdlss.ts'

/**
 * Finds the fields in which the boundary of a sub-agent exceeds that of its parent; none when the parent may do everything
 * that the sub-agent may.
 *
 * A field that the parent restricts and the sub-agent omits exceeds the parent. So does a field that cannot be compared with
 * certainty (globs, different time zones). Errors do not reveal the parent's values, because an agent that signs for itself
 * must not learn them. Spec: PDLSS object, selfInstantiation; Permission privacy.
 */
export function findBoundaryExcess(child: Pdlss, parent: Pdlss): FieldError[] {
  const beyond = [
    ...findPurposeExcess(child.purpose, parent.purpose),
    ...findDurationExcess(child.duration, parent.duration),
    ...findLimitsExcess(child.limits, parent.limits),
    ...findScopeExcess(child.scope, parent.scope),
    ...findSelfInstantiationExcess(child.selfInstantiation, parent.selfInstantiation),
  ]
  return beyond.map((field) => ({
    pointer: `/pdlss/${field}`,
    code: 'beyond_parent',
    message: 'allows more than the boundary of the parent',
  }))
}

function findPurposeExcess(child: Pdlss['purpose'], parent: Pdlss['purpose']): string[] {
  const actions = namesOf(parent?.allowedActions)
  const denied = namesOf(child?.deniedActions)
  const isAllowed = (name: string) => actions.includes(name) || actions.includes(bareActionOf(name))
  const isDenied = (name: string) => denied.includes(name) || denied.includes(bareActionOf(name))
  return listFields({
    'purpose/categories': isWithin(namesOf(child?.categories), namesOf(parent?.categories)),
    'purpose/allowedActions': isWithin(namesOf(child?.allowedActions), actions, isAllowed),
    'purpose/deniedActions': namesOf(parent?.deniedActions).every(isDenied),
  })
}

function findDurationExcess(child: Pdlss['duration'], parent: Pdlss['duration']): string[] {
  return listFields({
    'duration/maxSessionDuration': isAtMost(child?.maxSessionDuration, parent?.maxSessionDuration),
    'duration/ttl': isAtMost(child?.ttl, parent?.ttl),
    'duration/allowedHours': coversWindow(parent ?? {}, child ?? {}),
  })
}

function findLimitsExcess(child: Pdlss['limits'], parent: Pdlss['limits']): string[] {
  const [own, above] = [compileLimits(child, undefined), compileLimits(parent, undefined)]
  return listFields({
    'limits/autonomousThreshold': own.autonomousThreshold <= above.autonomousThreshold,
    'limits/stepUpThreshold': Math.min(own.freshThreshold, own.hardLimit) <= above.freshThreshold,
    'limits/approvalThreshold': own.hardLimit <= above.hardLimit,
    'limits/maxTransactionsPerHour': isAtMost(own.maxTransactionsPerHour, above.maxTransactionsPerHour),
    'limits/currency': above.currency === undefined || own.currency === above.currency,
  })
}

function findScopeExcess(child: Pdlss['scope'], parent: Pdlss['scope']): string[] {
  const resources = child?.resources ?? []
  const covering = parent?.resources ?? []
  const codes = (scope: Pdlss['scope']) => (scope?.jurisdictions ?? []).map((code) => code.toUpperCase())
  const isCovered = (entry: string) =>
    parent?.counterparties?.some((other) => coversEntry(other, entry)) ?? true
  return listFields({
    'scope/jurisdictions': isWithin(codes(child), codes(parent)),
    'scope/resources': covering.length === 0 || (resources.length > 0 && coversGlobs(covering, resources)),
    'scope/counterparties': isWithin(child?.counterparties ?? [], parent?.counterparties ?? [], isCovered),
    'scope/unverifiedCounterpartyPolicy':
      STRICTNESS[child?.unverifiedCounterpartyPolicy ?? 'allow'] >=
      STRICTNESS[parent?.unverifiedCounterpartyPolicy ?? 'allow'],
    'scope/minCounterpartyTrustScore':
      (child?.minCounterpartyTrustScore ?? 0) >= (parent?.minCounterpartyTrustScore ?? 0),
  })
}

const STRICTNESS = { allow: 0, warn: 1, deny: 2 } as const

function coversEntry(outer: string, inner: string): boolean {
  const [above, own] = [parseCounterparty(outer), parseCounterparty(inner)]
  if (above === undefined || own === undefined) return false
  if (above.kind === 'merchant') return own.kind === 'merchant' && own.merchantId === above.merchantId
  if (own.kind === 'merchant') return false
  if (above.kind === 'host') return own.kind === 'host' && own.host === above.host
  return (own.kind === 'host' ? own.host : own.suffix).endsWith(above.suffix)
}

/** A sub-agent that may not create sub-agents needs no bounds. Each level has one level less below it. */
function findSelfInstantiationExcess(
  child: Pdlss['selfInstantiation'],
  parent: Pdlss['selfInstantiation'],
): string[] {
  if (child?.allowed !== true) return []
  const depthMax = parent?.maxDepth === undefined ? undefined : parent.maxDepth - 1
  return listFields({
    'selfInstantiation/allowed': parent?.allowed === true,
    'selfInstantiation/maxSubAgents': isAtMost(child.maxSubAgents, parent?.maxSubAgents),
    'selfInstantiation/maxDepth': isAtMost(child.maxDepth, depthMax),
    'selfInstantiation/inheritPermissions':
      parent?.inheritPermissions !== true || child.inheritPermissions === true,
    'selfInstantiation/requireApproval': parent?.requireApproval !== true || child.requireApproval === true,
  })
}

function listFields(fields: Record<string, boolean>): string[] {
  return Object.entries(fields).flatMap(([field, isInside]) => (isInside ? [] : [field]))
}

function isAtMost(value: number | undefined, max: number | undefined): boolean {
  return max === undefined || (value !== undefined && value <= max)
}

/** An empty list is no restriction, so only another empty list contains it. */
function isWithin(
  own: readonly string[],
  above: readonly string[],
  isCovered = (name: string) => above.includes(name),
): boolean {
  return above.length === 0 || (own.length > 0 && own.every(isCovered))
}

function namesOf(names: readonly string[] | undefined): string[] {
  return (names ?? []).map(normaliseAction)
}
