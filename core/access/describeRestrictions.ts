import type { Pdlss } from '../pdlss/pdlss.ts'
import { intersectPolicies } from './intersectPolicies.ts'

/**
 * Describes the restrictions on an agent at an endpoint to the agent's owner only. Spec: Visibility.
 *
 * One sentence for each rule in force, in the order of the dimensions; none if the agent has no restrictions there.
 */
export function describeRestrictions(agent: Pdlss, endpoint: Pdlss): string[] {
  const { purpose, duration, limits, scope, selfInstantiation } = intersectPolicies(agent, endpoint)
  const money = limits.currency === undefined ? '' : ` ${limits.currency}`
  return [
    listed('Only these categories', purpose.categories),
    listed('Only these actions', purpose.allowedActions),
    listed('Never these actions', purpose.deniedActions),
    stated('Sessions of at most', duration.maxSessionDuration, ' seconds'),
    stated('Tokens of at most', duration.ttl, ' seconds'),
    ...duration.windows.map(windowText),
    stated('The owner is asked about spend from', limits.autonomousThreshold, money),
    stated('A fresh passkey assertion is needed for spend from', limits.stepUpThreshold, money),
    stated('No spend from', limits.approvalThreshold, `${money} on`),
    stated('Transactions in an hour, at most', limits.maxTransactionsPerHour, ''),
    stated(
      `Spend at this endpoint in a ${limits.cumulativePeriod ?? 'day'}, at most`,
      limits.maxCumulativeSpend,
      money,
    ),
    listed('Only these jurisdictions', scope.jurisdictions),
    ...scope.resources.map((globs) => listed('Only these resources', globs)),
    listed('Never these resources', scope.deniedResources),
    listed('Only these types of resource', scope.resourceTypes),
    listed('Only with these certifications', scope.requiredCertifications),
    listed('Only these counterparties', scope.counterparties),
    selfInstantiation.allowed === true ? undefined : 'No sub-agents',
    selfInstantiation.allowed === true
      ? stated('Sub-agents, at most', selfInstantiation.maxSubAgents, '')
      : undefined,
    selfInstantiation.allowed === true
      ? stated('Nested at most', selfInstantiation.maxDepth, ' deep')
      : undefined,
  ].filter((text) => text !== undefined)
}

function listed(label: string, names: readonly string[] | undefined): string | undefined {
  if (names === undefined) return undefined
  return `${label}: ${names.length === 0 ? 'none' : names.join(', ')}`
}

function stated(label: string, value: number | undefined, unit: string): string | undefined {
  return value === undefined ? undefined : `${label} ${value}${unit}`
}

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function windowText(window: ReturnType<typeof intersectPolicies>['duration']['windows'][number]): string {
  const days = window.allowedDays?.map((day) => DAY_NAMES[day] ?? '').join(', ')
  const hours = window.allowedHours && `from ${window.allowedHours.start}:00 to ${window.allowedHours.end}:00`
  return `Only ${[days, hours].filter((part) => part !== undefined && part !== '').join(' ')} (${window.timezone})`
}
