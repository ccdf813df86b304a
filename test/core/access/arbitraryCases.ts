import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import fc from 'fast-check'

/** A random decision as values: what a corpus case states, drawn from small sets so that rules and requests match often. */
export type ArbitraryCase = {
  agent: Pdlss
  endpoint: Pdlss
  rules: ApprovalRule[]
  request: {
    purpose?: string
    action?: string
    resource?: string
    resourceType?: string
    jurisdiction?: string
    transactionValue?: number
    currency?: string
    sessionDuration?: number
    certifications?: string[]
    subAgent?: { purpose?: string; depth?: number }
  }
  facts: {
    status: string
    endpointStatus: 'active' | 'deactivated' | 'archived'
    tier: 'discovered' | 'self_asserted' | 'domain_verified' | 'unknown'
    trustScore: number
    trustScoreRequirement: number
    unverifiedAgentPolicy: 'deny' | 'audit' | 'allow_partial' | 'allow_full'
    certifications: string[]
    host: string
    sharesOwner: boolean
    challenge: VerifiedInput['challenge']
    agentGrantsLastHour: number
    ancestorMaxTransactionsPerHour: readonly number[]
    ancestorGrantsLastHour: readonly number[]
    endpointGrantsLastHour: number
    cumulativeSpend: string
  }
  now: number
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
/** Present in one of four cases, so that decisions do not nearly always fail on something. */
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const lists = (...values: string[][]) => fc.constantFrom(...values)
const some = <Value>(...values: Value[]) => fc.subarray(values)
const category = fc.constantFrom('a', 'b', 'A')
const amount = fc.constantFrom(0, 0.1, 0.2, 0.3, 1, 5, 10)
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Apia')

const thresholds = fc
  .tuple(maybe(amount), maybe(amount), maybe(amount))
  .map(([autonomousThreshold, stepUpThreshold, approvalThreshold]) => {
    const sorted = [autonomousThreshold, stepUpThreshold, approvalThreshold]
      .filter((value) => value !== undefined)
      .sort((one, other) => one - other)
    const take = (value: number | undefined) => (value === undefined ? undefined : sorted.shift())
    return {
      autonomousThreshold: take(autonomousThreshold),
      stepUpThreshold: take(stepUpThreshold),
      approvalThreshold: take(approvalThreshold),
    }
  })

const purpose = fc.record({
  categories: maybe(lists(['a'], ['a', 'B'], [])),
  allowedActions: maybe(lists(['a.x'], ['x', 'b:y'], ['y'], [])),
  deniedActions: maybe(lists(['x'], ['a.y'], ['b.X'], [])),
})
const duration = fc.record({
  maxSessionDuration: maybe(fc.constantFrom(60, 600)),
  allowedDays: maybe(some(0, 1, 2, 3, 4, 5, 6)),
  allowedHours: maybe(
    fc
      .record({ start: fc.integer({ min: 0, max: 23 }), end: fc.integer({ min: 0, max: 24 }) })
      .filter(({ start, end }) => start !== end),
  ),
  timezone: maybe(zone),
})
const globs = maybe(lists(['/a/*'], ['/a/**'], ['**/{x,y}'], ['/a/x', '/b/?'], []))
const scope = fc.record({
  jurisdictions: maybe(lists(['US'], ['us', 'DE'], [])),
  resources: globs,
  unverifiedCounterpartyPolicy: maybe(fc.constantFrom('deny' as const, 'warn' as const, 'allow' as const)),
  minCounterpartyTrustScore: maybe(fc.constantFrom(0, 20, 50, 60, 81)),
})
const selfInstantiation = fc.record({
  allowed: maybe(fc.boolean()),
  maxDepth: maybe(fc.constantFrom(0, 1, 2)),
  maxSubAgents: maybe(fc.constantFrom(0, 1)),
  inheritPermissions: maybe(fc.boolean()),
  requireApproval: maybe(fc.boolean()),
})
const limitsRest = {
  maxTransactionsPerHour: maybe(fc.constantFrom(0, 1, 5)),
  currency: maybe(fc.constantFrom('USD', 'EUR')),
}
const together = <One, Other>(one: fc.Arbitrary<One>, other: fc.Arbitrary<Other>) =>
  fc.tuple(one, other).map(([first, second]) => ({ ...first, ...second }))

const agent: fc.Arbitrary<Pdlss> = fc.record({
  purpose: seldom(purpose),
  duration: seldom(duration),
  limits: seldom(together(thresholds, fc.record(limitsRest))),
  scope: seldom(together(scope, fc.record({ counterparties: maybe(lists(['s.example'], ['*.example'])) }))),
  selfInstantiation: seldom(selfInstantiation),
})

const endpoint: fc.Arbitrary<Pdlss> = fc.record({
  purpose: seldom(purpose),
  duration: seldom(duration),
  limits: seldom(
    together(
      thresholds,
      fc.record({ ...limitsRest, maxCumulativeSpend: maybe(fc.constantFrom(0.3, 5, 10)) }),
    ),
  ),
  scope: seldom(
    together(
      scope,
      fc.record({
        deniedResources: globs,
        resourceTypes: maybe(lists(['t'], [])),
        requiredCertifications: maybe(lists(['C'], ['C', 'D'])),
      }),
    ),
  ),
  selfInstantiation: seldom(
    together(selfInstantiation, fc.record({ allowedSubAgentPurposes: maybe(lists(['a'], ['B'])) })),
  ),
})

const rule: fc.Arbitrary<ApprovalRule> = fc.oneof(
  fc.record({
    dimension: fc.constant('purpose' as const),
    match: fc.record({
      categories: maybe(lists(['a'], ['B'])),
      actions: maybe(lists(['x'], ['a:y'])),
    }),
  }),
  fc.constant({ dimension: 'duration' as const, match: {} as Record<string, never> }),
  fc.record({
    dimension: fc.constant('scope' as const),
    match: fc.record({
      resources: maybe(lists(['/a/**'], ['/b/*'])),
      jurisdictions: maybe(lists(['us'], ['DE'])),
      counterparties: maybe(lists(['s.example'], ['S.other'])),
    }),
  }),
  fc.record({
    dimension: fc.constant('selfInstantiation' as const),
    match: fc.record({ purposes: maybe(lists(['A'], ['b'])) }),
  }),
  fc.record({ dimension: fc.constant('spend' as const), match: fc.record({ minValue: maybe(amount) }) }),
)

const request = fc.record(
  {
    purpose: maybe(fc.constantFrom('a', 'b', 'a:x', 'A.Y', 'b:y', 'c:x')),
    action: maybe(fc.constantFrom('x', 'Y', 'z')),
    resource: maybe(
      fc.constantFrom(
        ...['/a/x', '/a/b/y', '/b/x', '/a', '/a/../b', '/%61/x', '/a/%2e%2e/x', '/c'],
        ...['/A/x', '/a/x/', '//a/x', '/a;v=1/x', '/a/x?q', '/a%2fx', 'https://h/b/X#f', '/a/..;/x'],
      ),
    ),
    resourceType: maybe(fc.constantFrom('t', 'u')),
    jurisdiction: maybe(fc.constantFrom('US', 'de', 'FR')),
    transactionValue: maybe(fc.oneof(amount, fc.constant(0.30000000000000004))),
    currency: maybe(fc.constantFrom('USD', 'eur')),
    sessionDuration: maybe(fc.constantFrom(60, 61, 600, 601)),
    certifications: seldom(lists(['C'], ['E'], [])),
    subAgent: maybe(fc.record({ purpose: maybe(category), depth: maybe(fc.constantFrom(1, 2, 3)) })),
  },
  { requiredKeys: [] },
)

const facts = fc.record({
  status: fc.constantFrom(...Array(9).fill('active'), 'suspended'),
  endpointStatus: fc.oneof(
    { weight: 9, arbitrary: fc.constant('active' as const) },
    { weight: 1, arbitrary: fc.constantFrom('archived' as const, 'deactivated' as const) },
  ),
  tier: fc.constantFrom(
    'discovered' as const,
    'self_asserted' as const,
    'domain_verified' as const,
    'unknown' as const,
  ),
  trustScore: fc.constantFrom(10, 20, 39, 40, 55, 60, 70, 100),
  trustScoreRequirement: fc.constantFrom(0, 0, 40, 60),
  unverifiedAgentPolicy: fc.constantFrom(
    'deny' as const,
    'audit' as const,
    'allow_partial' as const,
    'allow_full' as const,
  ),
  certifications: lists(['C', 'D', 'E'], ['C', 'D', 'E'], ['C'], []),
  host: fc.constantFrom('s.example', 's.other', 'example'),
  sharesOwner: fc.boolean(),
  challenge: fc.constantFrom(
    'passed' as const,
    'not_issued' as const,
    'not_issued' as const,
    'failed' as const,
    'withheld' as const,
  ),
  agentGrantsLastHour: fc.constantFrom(0, 1, 5),
  ancestorMaxTransactionsPerHour: fc.constantFrom([], [], [6], [6, 9]),
  ancestorGrantsLastHour: fc.constantFrom([0, 0], [5, 8], [6, 6], [0, 9]),
  endpointGrantsLastHour: fc.constantFrom(0, 1, 5),
  cumulativeSpend: fc.constantFrom('0', '0.1', '0.2', '9.9'),
})

/** Random boundaries, rules, requests and facts. */
export const arbitraryCase: fc.Arbitrary<ArbitraryCase> = fc
  .record({
    agent,
    endpoint,
    rules: fc.array(rule, { maxLength: 2 }),
    request,
    facts,
    now: fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) }),
  })
  .map((one) => (one.agent.limits?.maxTransactionsPerHour === undefined ? withoutAncestors(one) : one))

/** A sub-agent without an hourly cap has no ancestor with one from which it inherits. */
function withoutAncestors(one: ArbitraryCase): ArbitraryCase {
  return { ...one, facts: { ...one.facts, ancestorMaxTransactionsPerHour: [] } }
}
