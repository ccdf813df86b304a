import type { Pdlss, PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/**
 * A policy in words, a line for each rule: what the agent's boundary allows, and what the endpoint's does.
 *
 * A request has to satisfy both. Source: Spec: PDLSS object; verification.md.
 */
export function explainPolicy(file: PolicyFile): string[] {
  const { pdlss, endpoint, unverifiedAgentPolicy } = file
  const lines = [
    ...(pdlss ? boundaryLines(file.agent?.name ?? file.agent?.id ?? 'The agent', pdlss, 'agent') : []),
    ...(endpoint?.pdlss ? boundaryLines('The endpoint', endpoint.pdlss, 'endpoint') : []),
  ]
  if (unverifiedAgentPolicy) lines.push(`Callers without identity: ${unverifiedAgentPolicy}`)
  if (!pdlss && !endpoint?.pdlss)
    lines.push(`No boundary: every request gets ${file.defaults?.decision ?? 'deny'}`)
  return lines
}

function boundaryLines(who: string, boundary: Pdlss, side: PdlssSide): string[] {
  const rules = [
    ...purposeLines(boundary.purpose),
    ...durationLines(boundary.duration),
    ...limitsLines(boundary.limits),
    ...scopeLines(boundary.scope),
    ...selfInstantiationLines(boundary.selfInstantiation, side),
  ]
  return [`${who}:`, ...(rules.length > 0 ? rules : ['anything']).map((rule) => `  ${rule}`)]
}

function purposeLines({ categories, allowedActions, deniedActions }: NonNullable<Pdlss['purpose']> = {}) {
  return [
    ...listed('purpose: only of', categories),
    ...listed('actions: only', allowedActions),
    ...listed('actions: never', deniedActions),
  ]
}

function durationLines({
  allowedDays,
  allowedHours,
  timezone,
  ...rest
}: NonNullable<Pdlss['duration']> = {}) {
  const zone = timezone ?? 'UTC'
  return [
    ...listed(
      'days: only',
      allowedDays?.map((day) => DAYS[day] ?? String(day)),
      zone,
    ),
    ...(allowedHours
      ? [`hours: from ${clock(allowedHours.start)} until ${clock(allowedHours.end)} (${zone})`]
      : []),
    ...stated('session: at most', rest.maxSessionDuration, ' s'),
  ]
}

function limitsLines(limits: Pdlss['limits'] = {}): string[] {
  const { autonomousThreshold, stepUpThreshold, approvalThreshold, currency, maxCumulativeSpend } = limits
  const hard = approvalThreshold ?? stepUpThreshold ?? autonomousThreshold
  const asking = autonomousThreshold ?? stepUpThreshold
  const unit = currency === undefined ? '' : ` ${currency}`
  return [
    ...(asking !== undefined && asking !== hard
      ? [`spend: from ${asking}${unit} on the owner is asked`]
      : []),
    ...(stepUpThreshold !== undefined && stepUpThreshold !== hard && stepUpThreshold !== asking
      ? [`spend: from ${stepUpThreshold}${unit} on with a passkey for this very request`]
      : []),
    ...(hard === undefined ? [] : [`spend: from ${hard}${unit} on never`]),
    ...(currency === undefined ? [] : [`currency: only ${currency}, where one is stated`]),
    ...stated('spend: at most', maxCumulativeSpend, `${unit} a ${limits.cumulativePeriod ?? 'day'}`),
    ...stated('transactions: at most', limits.maxTransactionsPerHour, ' an hour'),
  ]
}

function scopeLines(scope: Pdlss['scope'] = {}): string[] {
  const { unverifiedCounterpartyPolicy: unverified } = scope
  return [
    ...listed('resources: only', scope.resources),
    ...listed('resources: never', scope.deniedResources),
    ...listed('resource types: only', scope.resourceTypes),
    ...listed('jurisdictions: only', scope.jurisdictions),
    ...listed('counterparties: only', scope.counterparties),
    ...(unverified === undefined ? [] : [`unverified counterparties: ${unverified}`]),
    ...stated('counterparty trust score: at least', scope.minCounterpartyTrustScore),
    ...listed('certifications: all of', scope.requiredCertifications),
  ]
}

function selfInstantiationLines(rules: Pdlss['selfInstantiation'] = {}, side: PdlssSide): string[] {
  const isAllowed = rules.allowed ?? side === 'endpoint'
  if (!isAllowed) return ['sub-agents: none']
  if (Object.keys(rules).length === 0) return []
  return [
    `sub-agents: allowed${rules.requireApproval ? ', each approved by the owner' : ''}`,
    ...stated('sub-agents: at most', rules.maxSubAgents),
    ...stated('sub-agents: at most', rules.maxDepth, ' levels below'),
    ...listed('sub-agents: only for', rules.allowedSubAgentPurposes),
    ...(rules.inheritPermissions ? ['sub-agents: within this boundary'] : []),
  ]
}

function listed(rule: string, names: readonly string[] | undefined, zone?: string): string[] {
  if (names === undefined || names.length === 0) return []
  return [`${rule} ${names.join(', ')}${zone === undefined ? '' : ` (${zone})`}`]
}

function stated(rule: string, value: number | undefined, unit = ''): string[] {
  return value === undefined ? [] : [`${rule} ${value}${unit}`]
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
