import type { Recommendation } from '@svc/core/access/decision.ts'
import type { Pdlss, PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import type { Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'

const SPENDERS = { agent: '', owner: ' by one owner', endpoint: ' by everybody' } as const
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/**
 * Explains a policy with one line per rule: those of the agent's boundary first, then those of the endpoint's.
 *
 * A request must satisfy both. Source: Spec: PDLSS object.
 */
export function explainPolicy(file: PolicyFile): string[] {
  const { pdlss, endpoint, unverifiedAgentPolicy } = file
  const lines = [
    ...(pdlss ? explainBoundary(file.agent?.name ?? file.agent?.id ?? 'The agent', pdlss, 'agent') : []),
    ...(endpoint?.pdlss ? explainBoundary('The endpoint', endpoint.pdlss, 'endpoint') : []),
  ]
  if (unverifiedAgentPolicy) lines.push(`Callers without identity: ${unverifiedAgentPolicy}`)
  if (!pdlss && !endpoint?.pdlss)
    lines.push(`No boundary: every request gets ${file.defaults?.decision ?? 'deny'}`)
  return lines
}

function explainBoundary(who: string, boundary: Pdlss, side: PdlssSide): string[] {
  const rules = [
    ...explainPurpose(boundary.purpose),
    ...explainDuration(boundary.duration),
    ...explainLimits(boundary.limits),
    ...explainScope(boundary.scope),
    ...explainSelfInstantiation(boundary.selfInstantiation, side),
  ]
  return [`${who}:`, ...(rules.length > 0 ? rules : ['anything']).map((rule) => `  ${rule}`)]
}

function explainPurpose({ categories, allowedActions, deniedActions }: NonNullable<Pdlss['purpose']> = {}) {
  return [
    ...listRule('purpose: only', categories),
    ...listRule('actions: only', allowedActions),
    ...listRule('actions: never', deniedActions),
  ]
}

function explainDuration({
  allowedDays,
  allowedHours,
  timezone,
  ...rest
}: NonNullable<Pdlss['duration']> = {}) {
  const zone = timezone ?? 'UTC'
  return [
    ...listRule(
      'days: only',
      allowedDays?.map((day) => DAYS[day] ?? String(day)),
      zone,
    ),
    ...(allowedHours
      ? [`hours: from ${formatHour(allowedHours.start)} until ${formatHour(allowedHours.end)} (${zone})`]
      : []),
    ...describeValueRule('session: at most', rest.maxSessionDuration, ' s'),
  ]
}

function explainLimits(limits: Pdlss['limits'] = {}): string[] {
  const { autonomousThreshold, stepUpThreshold, approvalThreshold, currency, maxCumulativeSpend } = limits
  const hard = approvalThreshold ?? stepUpThreshold ?? autonomousThreshold
  const asking = autonomousThreshold ?? stepUpThreshold
  const unit = currency === undefined ? '' : ` ${currency}`
  return [
    ...(asking !== undefined && asking !== hard
      ? [`spend: from ${asking}${unit} the owner must approve`]
      : []),
    ...(stepUpThreshold !== undefined && stepUpThreshold !== hard && stepUpThreshold !== asking
      ? [`spend: from ${stepUpThreshold}${unit} the owner must approve this request with a passkey`]
      : []),
    ...(hard === undefined ? [] : [`spend: ${hard}${unit} or more is never allowed`]),
    ...(currency === undefined ? [] : [`currency: only ${currency}, if one is given`]),
    ...describeValueRule(
      'spend: at most',
      maxCumulativeSpend,
      `${unit} a ${limits.cumulativePeriod ?? 'day'}${SPENDERS[limits.cumulativeScope ?? 'agent']}`,
    ),
    ...describeValueRule('transactions: at most', limits.maxTransactionsPerHour, ' an hour'),
  ]
}

function explainScope(scope: Pdlss['scope'] = {}): string[] {
  const { unverifiedCounterpartyPolicy: unverified } = scope
  return [
    ...listRule('resources: only', scope.resources),
    ...listRule('resources: never', scope.deniedResources),
    ...listRule('resource types: only', scope.resourceTypes),
    ...listRule('jurisdictions: only', scope.jurisdictions),
    ...listRule('counterparties: only', scope.counterparties),
    ...(unverified === undefined ? [] : [`unverified counterparties: ${unverified}`]),
    ...describeValueRule('counterparty trust score: at least', scope.minCounterpartyTrustScore),
    ...listRule('certifications: all of', scope.requiredCertifications),
  ]
}

function explainSelfInstantiation(rules: Pdlss['selfInstantiation'] = {}, side: PdlssSide): string[] {
  const isAllowed = rules.allowed ?? side === 'endpoint'
  if (!isAllowed) return ['sub-agents: none']
  if (Object.keys(rules).length === 0) return []
  return [
    `sub-agents: allowed${rules.requireApproval ? ', each approved by the owner' : ''}`,
    ...describeValueRule('sub-agents: at most', rules.maxSubAgents),
    ...describeValueRule('sub-agents: at most', rules.maxDepth, ' levels below'),
    ...listRule('sub-agents: only for', rules.allowedSubAgentPurposes),
    ...(rules.inheritPermissions ? ['sub-agents: within this boundary'] : []),
  ]
}

function listRule(rule: string, names: readonly string[] | undefined, zone?: string): string[] {
  if (names === undefined || names.length === 0) return []
  return [`${rule} ${names.join(', ')}${zone === undefined ? '' : ` (${zone})`}`]
}

function describeValueRule(rule: string, value: number | undefined, unit = ''): string[] {
  return value === undefined ? [] : [`${rule} ${value}${unit}`]
}

const formatHour = (hour: number) => `${String(hour).padStart(2, '0')}:00`

const MEANING: Readonly<Record<Recommendation, string>> = {
  grant: 'granted',
  audit: 'allowed, with a warning to the counterparty',
  deny: 'denied',
  step_up_required: 'requires the owner’s approval',
}

/** Explains a decision: the outcome, the reason and, for each failed dimension, what to do next. */
export function explainEvaluation({ recommendation, access, failures, warnings = [] }: Evaluation): string[] {
  return [
    `${recommendation}: ${MEANING[recommendation]}, access level ${access.accessLevel}`,
    `  ${access.reason}`,
    ...failures.flatMap(({ dimension, message, guidance }) => [
      `  ${dimension}: ${message}`,
      `    ${guidance}`,
    ]),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]
}
