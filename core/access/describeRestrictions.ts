import type { Pdlss } from '../pdlss/pdlss.ts'
import { intersectPolicies } from './intersectPolicies.ts'

const SPENDERS = { agent: '', owner: ' of this owner', endpoint: ' of everybody' } as const

/**
 * Describes the restrictions on an agent at an endpoint to the agent's owner only. Spec: Visibility.
 *
 * One sentence for each rule in force, in the order of the dimensions; none if the agent has no restrictions there.
 */
export function describeRestrictions(agent: Pdlss, endpoint: Pdlss): string[] {
  const { purpose, duration, limits, scope, selfInstantiation } = intersectPolicies(agent, endpoint)
  const money = limits.currency === undefined ? '' : ` ${limits.currency}`
  return [
    formatList('Only these categories', purpose.categories),
    formatList('Only these actions', purpose.allowedActions),
    formatList('Never these actions', purpose.deniedActions),
    formatValue('Sessions of at most', duration.maxSessionDuration, ' seconds'),
    formatValue('Tokens of at most', duration.ttl, ' seconds'),
    formatWindow(duration),
    formatWindow(duration.furtherWindow),
    formatValue('At', limits.autonomousThreshold, `${money} or more, the owner is asked`),
    formatValue(
      'At',
      limits.stepUpThreshold,
      `${money} or more, the owner approves with a fresh passkey assertion`,
    ),
    formatValue('At', limits.approvalThreshold, `${money} or more, always denied`),
    formatValue('Transactions in an hour, at most', limits.maxTransactionsPerHour, ''),
    formatValue(
      `Spend${SPENDERS[limits.cumulativeScope ?? 'agent']} at this endpoint in a ${limits.cumulativePeriod ?? 'day'}, at most`,
      limits.maxCumulativeSpend,
      money,
    ),
    formatList('Only these jurisdictions', scope.jurisdictions),
    formatList('Only these resources', scope.resources),
    formatList('And only these resources', scope.furtherResources),
    formatList('Never these resources', scope.deniedResources),
    formatList('Only these types of resource', scope.resourceTypes),
    formatList('Only with these certifications', scope.requiredCertifications),
    formatList('Only these counterparties', scope.counterparties),
    selfInstantiation.allowed === true ? undefined : 'No sub-agents',
    selfInstantiation.allowed === true
      ? formatValue('Sub-agents, at most', selfInstantiation.maxSubAgents, '')
      : undefined,
    selfInstantiation.allowed === true
      ? formatValue('Nested at most', selfInstantiation.maxDepth, ' deep')
      : undefined,
  ].filter((text) => text !== undefined)
}

function formatList(label: string, names: readonly string[] | undefined): string | undefined {
  if (names === undefined) return undefined
  return `${label}: ${names.length === 0 ? 'none' : names.join(', ')}`
}

function formatValue(label: string, value: number | undefined, unit: string): string | undefined {
  return value === undefined ? undefined : `${label} ${value}${unit}`
}

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type Window = ReturnType<typeof intersectPolicies>['duration']['furtherWindow']

function formatWindow(window: Partial<NonNullable<Window>> | undefined): string | undefined {
  if (window?.timezone === undefined) return undefined
  const days = window.allowedDays?.map((day) => DAY_NAMES[day] ?? '').join(', ')
  const hours = window.allowedHours && `from ${window.allowedHours.start}:00 to ${window.allowedHours.end}:00`
  return `Only ${[days, hours].filter((part) => part !== undefined && part !== '').join(' ')} (${window.timezone})`
}
