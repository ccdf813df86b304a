import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import type { Pdlss, PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import { formatAmount } from '../words/words.ts'

/** What a boundary says about one dimension; no sentence if it does not limit it. */
export type DimensionSentences = { title: string; sentences: string[] }

/**
 * Describes a boundary in sentences, by dimension and in order: each rule that has an effect, and nothing else.
 *
 * An empty list restricts nothing and is left out, as is an endpoint’s policy for unregistered counterparties, which
 * has no effect. An agent’s boundary that does not allow sub-agents forbids them, and says so.
 *
 * Source: Spec: PDLSS object.
 */
export function describeBoundary(boundary: Pdlss, side: PdlssSide): DimensionSentences[] {
  const { purpose, duration, limits, scope, selfInstantiation } = boundary
  const dimensions: [string, (string | false | undefined)[]][] = [
    ['Purpose', describePurpose(purpose)],
    ['Duration', describeDuration(duration)],
    ['Limits', [...describeSpend(limits), ...describeCaps(limits, side)]],
    ['Scope', describeScope(scope, side)],
    ['Self-instantiation', describeSubAgents(selfInstantiation, side)],
  ]
  return dimensions.map(([title, sentences]) => ({
    title,
    sentences: sentences.filter((sentence) => typeof sentence === 'string'),
  }))
}

/** Whether a boundary says the same as one without any rule. */
export function limitsNothing(boundary: Pdlss, side: PdlssSide): boolean {
  const textOf = (one: Pdlss) =>
    describeBoundary(one, side)
      .flatMap(({ sentences }) => sentences)
      .join(' ')
  return textOf(boundary) === textOf({})
}

function describePurpose({ categories, allowedActions, deniedActions }: NonNullable<Pdlss['purpose']> = {}) {
  return [
    say(categories, (names) => `May act only for ${names}.`, 'or'),
    say(allowedActions, (names) => `May take only these actions: ${names}.`),
    say(deniedActions, (names) => `May never take these actions: ${names}.`),
  ]
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function describeDuration(duration: NonNullable<Pdlss['duration']> = {}) {
  const { maxSessionDuration, ttl, allowedDays = [], allowedHours, timezone } = duration
  const days = [...allowedDays].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map((day) => DAYS[day] ?? '')
  return [
    maxSessionDuration !== undefined && `Sessions last at most ${formatSeconds(maxSessionDuration)}.`,
    ttl !== undefined && `Session tokens are valid for ${formatSeconds(ttl)}.`,
    say(days, (names) => `Only on ${names}.`),
    allowedHours &&
      `Only from ${formatHour(allowedHours.start)} to ${formatHour(allowedHours.end)}${
        allowedHours.start > allowedHours.end ? ' of the next day' : ''
      }.`,
    timezone !== undefined && `Days and hours are those of ${timezone}.`,
  ]
}

function describeSpend(limits: Pdlss['limits']) {
  const { autonomousThreshold, freshThreshold, hardLimit, currency } = compileLimits(limits, undefined)
  const amount = (value: number) => formatAmount(value, currency)
  const unasked = autonomousThreshold === 0 ? 'nothing' : `less than ${amount(autonomousThreshold)}`
  const beyond =
    autonomousThreshold < hardLimit
      ? `asks its owner below ${amount(hardLimit)}, and never spends more`
      : 'and never more'
  return [
    hardLimit === 0
      ? 'May never spend anything.'
      : hardLimit < Number.POSITIVE_INFINITY && `May spend ${unasked} on its own, ${beyond}.`,
    freshThreshold < hardLimit &&
      `From ${amount(freshThreshold)} on, the owner approves each request with a passkey.`,
    currency !== undefined && `May spend only ${currency}.`,
  ]
}

const SPENDERS = {
  agent: 'Each agent',
  owner: 'The agents of one owner together',
  endpoint: 'All callers together',
}
const PERIODS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month', total: 'in total' }

function describeCaps(limits: NonNullable<Pdlss['limits']> = {}, side: PdlssSide) {
  const { maxTransactionsPerHour: perHour, maxCumulativeSpend: max, currency } = limits
  const { cumulativePeriod = 'day', cumulativeScope = 'agent' } = limits
  return [
    perHour !== undefined &&
      `${side === 'agent' ? 'May' : 'Each agent may'} make at most ${count(perHour, 'purchase')} an hour.`,
    max !== undefined &&
      `${SPENDERS[cumulativeScope]} may spend at most ${formatAmount(max, currency)} ${PERIODS[cumulativePeriod]}.`,
  ]
}

const UNREGISTERED = {
  deny: 'Unregistered counterparties are denied.',
  warn: 'Unregistered counterparties are accepted with a warning.',
  allow: 'Unregistered counterparties are accepted.',
}

function describeScope(scope: NonNullable<Pdlss['scope']> = {}, side: PdlssSide) {
  const { unverifiedCounterpartyPolicy: policy, minCounterpartyTrustScore: score } = scope
  return [
    say(scope.resources, (names) => `May use only these resources: ${names}.`),
    say(scope.deniedResources, (names) => `May never use these resources: ${names}.`),
    say(scope.resourceTypes, (names) => `May use only resources of type ${names}.`, 'or'),
    say(scope.jurisdictions, (names) => `May act only in ${names}.`, 'or'),
    say(scope.counterparties, (names) => `May deal only with ${names}.`, 'or'),
    side === 'agent' && policy && UNREGISTERED[policy],
    score !== undefined &&
      `${side === 'agent' ? 'A counterparty' : 'An agent'} needs a trust score of at least ${score}.`,
    say(scope.requiredCertifications, (names) => `Needs to be certified for ${names}.`),
  ]
}

function describeSubAgents(rules: NonNullable<Pdlss['selfInstantiation']> = {}, side: PdlssSide) {
  const { allowed = side === 'agent' ? false : undefined, maxSubAgents, maxDepth } = rules
  const { inheritPermissions, requireApproval, allowedSubAgentPurposes } = rules
  return [
    allowed !== undefined && (allowed ? 'May create sub-agents.' : 'May not create sub-agents.'),
    maxSubAgents !== undefined && `At most ${count(maxSubAgents, 'sub-agent')} at a time.`,
    maxDepth !== undefined && `Sub-agents may be at most ${count(maxDepth, 'level')} deep.`,
    inheritPermissions !== undefined &&
      (inheritPermissions
        ? 'Sub-agents stay within this boundary.'
        : 'Sub-agents do not inherit this boundary.'),
    requireApproval !== undefined &&
      (requireApproval ? 'The owner approves each sub-agent.' : 'Sub-agents need no approval.'),
    say(allowedSubAgentPurposes, (names) => `Sub-agents may act only for ${names}.`, 'or'),
  ]
}

/** Says something about a list, unless it is empty and restricts nothing. */
function say(
  names: readonly string[] | undefined,
  sentenceOf: (names: string) => string,
  joint: 'and' | 'or' = 'and',
): string | undefined {
  if (names === undefined || names.length === 0) return undefined
  const type = joint === 'and' ? 'conjunction' : 'disjunction'
  return sentenceOf(new Intl.ListFormat('en-GB', { type }).format(names))
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number.toLocaleString('en')} ${noun}s`
}

function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** Formats seconds in the largest units that leave nothing over: 5,400 is `1 hour and 30 minutes`. */
function formatSeconds(seconds: number): string {
  let rest = seconds
  const parts: string[] = []
  for (const [size, noun] of UNITS) {
    const whole = Math.floor(rest / size)
    if (whole > 0) parts.push(count(whole, noun))
    rest -= whole * size
  }
  return new Intl.ListFormat('en-GB').format(parts)
}
