import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import { HARD_DIMENSIONS } from '@svc/core/access/findings.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { ArbitraryCase } from './arbitraryCases.ts'
import { outsideList } from './outsideList.ts'
import { isAllowed, outsideResources, readsOtherwise } from './outsideResources.ts'
import { outsideWindow } from './outsideWindow.ts'

type Naive = { recommendation: string; accessLevel: string; dimensions: string[] }
type Request = ArbitraryCase['request']

/**
 * The naive twin of the decision: reads the boundaries as values, rule by rule as written, with nothing compiled.
 *
 * It shares only the table of dimension names with the code that it checks.
 */
export function decideNaively({ agent, endpoint, rules, request, facts, now }: ArbitraryCase): Naive {
  const failed = new Set<string>()
  const toApprove = new Set<string>()
  const fail = (dimension: string, isFailed: boolean) => isFailed && failed.add(dimension)
  const ask = (dimension: string) => toApprove.add(`${dimension}.approval_required`)
  const name = nameOf(request)
  let isForbidden = false

  fail('agent.status', facts.status !== 'active')
  fail('counterparty.status', facts.endpointStatus !== 'active')
  fail('runtime.challenge', facts.challenge === 'failed' || facts.challenge === 'withheld')
  const level = levelOf(facts)
  fail('trust.score', level === 'none')

  fail('pdlss.purpose', outsideList(agent.purpose?.categories, name.category))
  fail('pdlss.action', outsideActions(agent.purpose, name))
  fail(
    'endpoint.purpose',
    outsideList(endpoint.purpose?.categories, name.category) || outsideActions(endpoint.purpose, name),
  )
  if (!failed.has('pdlss.purpose') && !failed.has('pdlss.action')) {
    if (rules.some((rule) => rule.dimension === 'purpose' && asksPurpose(rule.match, name)))
      ask('pdlss.purpose')
  }

  const seconds = request.sessionDuration ?? 1
  fail('pdlss.duration', seconds > (agent.duration?.maxSessionDuration ?? Infinity))
  if (outsideWindow(agent.duration, now)) {
    if (rules.some((rule) => rule.dimension === 'duration')) ask('pdlss.duration')
    else failed.add('pdlss.duration')
  }
  fail('endpoint.duration', seconds > (endpoint.duration?.maxSessionDuration ?? Infinity))
  fail('endpoint.duration', outsideWindow(endpoint.duration, now))

  const value = request.transactionValue
  if (value !== undefined) {
    const own = agent.limits ?? {}
    const theirs = endpoint.limits ?? {}
    const currency = request.currency?.toUpperCase() ?? theirs.currency ?? own.currency
    const isOver = (limits: typeof own) => value >= hardLimit(limits) || differs(limits.currency, currency)
    fail('pdlss.limits', isOver(own))
    fail('pdlss.rate', facts.agentGrantsLastHour >= (own.maxTransactionsPerHour ?? Infinity))
    for (const [n, max] of facts.ancestorMaxTransactionsPerHour.entries())
      fail('pdlss.rate', (facts.ancestorGrantsLastHour[n] ?? 0) >= max)
    fail('endpoint.limits', isOver(theirs))
    fail('endpoint.limits', facts.endpointGrantsLastHour >= (theirs.maxTransactionsPerHour ?? Infinity))
    fail(
      'endpoint.limits',
      tenths(facts.cumulativeSpend) + tenths(value) > tenths(theirs.maxCumulativeSpend ?? 1e9),
    )
    const early = rules.some(
      (rule) => rule.dimension === 'spend' && value >= (rule.match.minValue ?? Infinity),
    )
    const isAsked = early || value >= autonomous(own) || value >= autonomous(theirs)
    if (isAsked && !isOver(own) && !isOver(theirs)) toApprove.add('commerce.intent.approval_required')
  }

  if (!facts.sharesOwner) {
    const isTraversal = request.resource !== undefined && readsOtherwise(request.resource)
    const isAsked = (part: 'resources' | 'jurisdictions' | 'counterparties') =>
      !isTraversal &&
      rules.some(
        (rule) =>
          rule.dimension === 'scope' &&
          (rule.match[part] !== undefined || Object.values(rule.match).every((list) => list === undefined)) &&
          asksScope(rule.match, request, facts.host),
      )
    const isStranger = facts.tier === 'discovered' || facts.tier === 'unknown'
    const tierScore = { unknown: 0, discovered: 20, self_asserted: 50, domain_verified: 80 }[facts.tier]
    const refuseCounterparty = (dimension: string) =>
      isAsked('counterparties') ? ask('pdlss.scope') : failed.add(dimension)
    if (tierScore < (agent.scope?.minCounterpartyTrustScore ?? 0)) refuseCounterparty('counterparty.trust')
    if (isStranger && agent.scope?.unverifiedCounterpartyPolicy === 'deny')
      refuseCounterparty('counterparty.policy')
    const parts = ['resources', 'jurisdictions', 'counterparties'] as const
    const outside = parts.filter(
      (part) =>
        ({
          resources: outsideResources(agent.scope, request),
          jurisdictions: outsideJurisdictions(agent.scope, request),
          counterparties: outsideHosts(agent.scope?.counterparties, facts.host),
        })[part],
    )
    if (outside.length > 0 && outside.every(isAsked)) ask('pdlss.scope')
    fail('pdlss.scope', !outside.every(isAsked))
    isForbidden = outside.includes('counterparties') && !isAsked('counterparties')
    fail('endpoint.scope', outsideResources(endpoint.scope, request))
    fail('endpoint.scope', outsideJurisdictions(endpoint.scope, request))
    fail('endpoint.scope', facts.trustScore < (endpoint.scope?.minCounterpartyTrustScore ?? 0))
  }

  const subAgent = request.subAgent
  if (subAgent !== undefined) {
    const outside = (pdlss: Pdlss, isAllowed: boolean) => {
      const rule = pdlss.selfInstantiation ?? {}
      const purpose = subAgent.purpose?.toLowerCase()
      const inherits = rule.inheritPermissions === true && purpose !== undefined
      return (
        !(rule.allowed ?? isAllowed) ||
        (subAgent.depth ?? 1) > (rule.maxDepth ?? Infinity) ||
        rule.maxSubAgents === 0 ||
        outsideList(rule.allowedSubAgentPurposes, purpose) ||
        (inherits && outsideList(pdlss.purpose?.categories, purpose))
      )
    }
    fail('pdlss.selfInstantiation', outside(agent, false))
    fail('endpoint.selfInstantiation', outside(endpoint, true))
    const isRuled = rules.some(
      (rule) =>
        rule.dimension === 'selfInstantiation' &&
        (subAgent.purpose === undefined || within(rule.match.purposes, subAgent.purpose.toLowerCase())),
    )
    const isRequired = [agent, endpoint].some((side) => side.selfInstantiation?.requireApproval === true)
    if (!failed.has('pdlss.selfInstantiation') && (isRuled || isRequired)) ask('pdlss.selfInstantiation')
  }

  const wanted = [...(endpoint.scope?.requiredCertifications ?? []), ...(request.certifications ?? [])]
  fail(
    'endpoint.certifications',
    wanted.some((certification) => !facts.certifications.includes(certification)),
  )

  if (isForbidden || failed.has('counterparty.trust') || failed.has('counterparty.policy')) {
    toApprove.clear()
    for (const dimension of [...failed])
      if (dimension.startsWith('pdlss.') && !(isForbidden && dimension === 'pdlss.scope'))
        failed.delete(dimension)
  }

  const hard = HARD_DIMENSIONS.filter((dimension) => failed.has(dimension))
  const order = [
    'pdlss.purpose',
    'pdlss.duration',
    'pdlss.scope',
    'pdlss.selfInstantiation',
    'commerce.intent',
  ]
  const soft = order
    .map((dimension) => `${dimension}.approval_required`)
    .filter((dimension) => toApprove.has(dimension))
  const recommendation = hard.length > 0 ? 'deny' : soft.length > 0 ? 'step_up_required' : 'grant'
  return {
    recommendation,
    accessLevel: recommendation === 'grant' ? level : 'none',
    dimensions: [...hard, ...soft],
  }
}

type Name = { category: string | undefined; action: string | undefined }

function nameOf({ purpose, action }: Request): Name {
  const [category, ...rest] = (purpose ?? '').toLowerCase().split(/[:.]/)
  return { category: category || undefined, action: action?.toLowerCase() ?? (rest.join('.') || undefined) }
}

function levelOf(facts: ArbitraryCase['facts']): string {
  const { trustScore: score, trustScoreRequirement, unverifiedAgentPolicy: policy } = facts
  if (facts.sharesOwner) return 'internal'
  if (score < 20 || score < trustScoreRequirement) return policy.startsWith('allow_') ? 'restricted' : 'none'
  return score < 40 ? 'read-only' : score < 70 ? 'standard' : 'full'
}

function within(list: readonly string[] | undefined, value: string | undefined): boolean {
  return !outsideList(list, value)
}

function outsideActions(purpose: Pdlss['purpose'], { category, action }: Name): boolean {
  const parts = (entries: readonly string[] | undefined) =>
    (entries ?? [])
      .map((entry) => entry.toLowerCase().split(/[:.]/))
      .map((all) => ({ of: all.length > 1 ? all[0] : undefined, action: all.at(-1) }))
  const allowed = parts(purpose?.allowedActions)
  const denied = parts(purpose?.deniedActions)
  if (action !== undefined) {
    const isDenied = denied.some(
      (entry) =>
        entry.action === action &&
        (entry.of === undefined || category === undefined || entry.of === category),
    )
    const isAllowed = allowed.some(
      (entry) => entry.action === action && (entry.of === undefined || entry.of === category),
    )
    return isDenied || (allowed.length > 0 && !isAllowed)
  }
  if (allowed.length === 0) return false
  return category === undefined || !allowed.some((entry) => entry.of === undefined || entry.of === category)
}

function asksPurpose(
  match: Extract<ApprovalRule, { dimension: 'purpose' }>['match'],
  { category, action }: Name,
): boolean {
  const isOfEvery = category === undefined && action !== undefined
  if (!isOfEvery && outsideList(match.categories, category)) return false
  if (match.actions === undefined) return true
  return match.actions.some((entry) => {
    const [first, ...rest] = entry.toLowerCase().split(/[:.]/)
    const [of, name] = rest.length > 0 ? [first, rest.join('.')] : [undefined, first]
    return name === action && (of === undefined || category === undefined || of === category)
  })
}

function asksScope(
  match: Extract<ApprovalRule, { dimension: 'scope' }>['match'],
  request: Request,
  host: string,
): boolean {
  const { resource } = request
  const isResource =
    match.resources === undefined || (resource !== undefined && isAllowed(match.resources, resource))
  return (
    isResource &&
    within(match.jurisdictions, request.jurisdiction?.toLowerCase()) &&
    within(match.counterparties, host)
  )
}

function hardLimit(limits: NonNullable<Pdlss['limits']>): number {
  return limits.approvalThreshold ?? limits.stepUpThreshold ?? limits.autonomousThreshold ?? Infinity
}

function autonomous(limits: NonNullable<Pdlss['limits']>): number {
  return limits.autonomousThreshold ?? limits.stepUpThreshold ?? limits.approvalThreshold ?? Infinity
}

function differs(expected: string | undefined, stated: string | undefined): boolean {
  return expected !== undefined && stated !== undefined && expected !== stated
}

/** Exact for the amounts of the random cases, which have at most 17 decimals. */
function tenths(amount: number | string): bigint {
  const [whole = '', fraction = ''] = String(amount).split('.')
  return BigInt(whole + fraction.padEnd(20, '0'))
}

function outsideJurisdictions(scope: Pdlss['scope'], { jurisdiction }: Request): boolean {
  return jurisdiction !== undefined && outsideList(scope?.jurisdictions, jurisdiction.toLowerCase())
}

function outsideHosts(counterparties: readonly string[] | undefined, host: string): boolean {
  if (counterparties === undefined || counterparties.length === 0) return false
  return !counterparties.some((entry) =>
    entry.startsWith('*') ? host.endsWith(entry.slice(1)) : entry === host,
  )
}
