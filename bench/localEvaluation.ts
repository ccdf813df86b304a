import { createMongoAbility, subject } from '@casl/ability'
import { compilePolicyFile } from '@svc/client/evaluatePolicy.ts'
import { zoneOf } from '@svc/core/time/zoneOf.ts'
import { newEnforcer, newModelFromString, StringAdapter } from 'casbin'

/** One engine's figures; the time of a single decision in microseconds. */
export type LocalEvaluationRow = {
  name: string
  decisionsPerSecond: number
  p50Micros: number
  p99Micros: number
}

type Request = {
  agentId: string
  purpose: string
  resource: string
  jurisdiction: string
  transactionValue: number
  currency: string
}

type Engine = { name: string; decide: (request: Request, now: number) => boolean }

const TIMEZONE = 'Europe/Berlin'
/** A Wednesday noon in Berlin. */
const NOW = Date.parse('2026-01-07T11:00:00Z')
const SAMPLES = 200_000
const BATCH = 1_000
const TURNS = 100
const TURN_MS = 15

const POLICY = `
version: "1"
agent: { id: SVC-bench }
pdlss:
  purpose:
    categories: [shopping, read_data]
    allowedActions: [shopping.search, shopping.checkout, read_data.list]
    deniedActions: [shopping.refund]
  duration: { allowedDays: [1, 2, 3, 4, 5], allowedHours: { start: 8, end: 20 }, timezone: ${TIMEZONE} }
  limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: EUR }
  scope: { jurisdictions: [DE, FR, US], resources: ["/api/products/**", "/api/orders/*"] }
`

/**
 * Measures the local evaluator beside the limit and its peers: the same policy, the same requests, one process, one run.
 *
 * Every engine first has to give the same verdicts, denials included; what is timed are granted requests. Engines take turns, and of each
 * the fastest of its turns counts: what else the machine does makes turns slower, never faster.
 */
export async function measureLocalEvaluation(): Promise<LocalEvaluationRow[]> {
  const engines = [ours(), handWritten(), casl(), await casbin()]
  const granted = grantedRequests()
  for (const engine of engines) checkVerdicts(engine, granted)
  const fastest = engines.map(() => 0)
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [index, engine] of engines.entries()) {
      fastest[index] = Math.max(fastest[index] ?? 0, ratePerSecond(engine, granted))
    }
  }
  return engines.map((engine, index) => ({
    name: engine.name,
    decisionsPerSecond: fastest[index] ?? 0,
    ...latencies(engine, granted),
  }))
}

function ratePerSecond(engine: Engine, requests: readonly Request[]): number {
  let decisions = 0
  const from = performance.now()
  let elapsed = 0
  while (elapsed < TURN_MS) {
    run(engine, requests, BATCH)
    decisions += BATCH
    elapsed = performance.now() - from
  }
  return decisions / (elapsed / 1000)
}

function ours(): Engine {
  const { evaluate } = compilePolicyFile(POLICY)
  return { name: 'local evaluator', decide: (request, now) => evaluate(request, now).access.allowed }
}

/** The limit: the same rules written out by hand for this one policy, the zone's offset cached. */
function handWritten(): Engine {
  const categories = new Set(['shopping', 'read_data'])
  const allowed = new Set(['shopping.search', 'shopping.checkout', 'read_data.list'])
  const jurisdictions = new Set(['DE', 'FR', 'US'])
  const order = /^\/api\/orders\/[^/]+$/
  return {
    name: 'hand-written function',
    decide(request, now) {
      const [category, action] = request.purpose.split(':')
      const qualified = `${category}.${action}`
      const { weekday, hour } = wallClock(now)
      return (
        categories.has(category ?? '') &&
        allowed.has(qualified) &&
        qualified !== 'shopping.refund' &&
        weekday >= 1 &&
        weekday <= 5 &&
        hour >= 8 &&
        hour < 20 &&
        request.transactionValue < 100 &&
        request.currency === 'EUR' &&
        jurisdictions.has(request.jurisdiction) &&
        (request.resource.startsWith('/api/products/') || order.test(request.resource))
      )
    },
  }
}

function casl(): Engine {
  const conditions = {
    weekday: { $in: [1, 2, 3, 4, 5] },
    hour: { $gte: 8, $lt: 20 },
    transactionValue: { $lt: 100 },
    currency: 'EUR',
    jurisdiction: { $in: ['DE', 'FR', 'US'] },
    resource: { $regex: /^\/api\/(?:products\/.*|orders\/[^/]+)$/ },
  }
  const ability = createMongoAbility([
    { action: ['shopping:search', 'shopping:checkout', 'read_data:list'], subject: 'Request', conditions },
    { action: 'shopping:refund', subject: 'Request', inverted: true },
  ])
  return {
    name: 'CASL',
    decide: (request, now) =>
      ability.can(request.purpose, subject('Request', { ...request, ...wallClock(now) })),
  }
}

async function casbin(): Promise<Engine> {
  const model = newModelFromString(`
[request_definition]
r = sub, act

[policy_definition]
p = act, resource

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = r.act == p.act && keyMatch(r.sub.resource, p.resource) && r.sub.weekday >= 1 && r.sub.weekday <= 5 && r.sub.hour >= 8 && r.sub.hour < 20 && r.sub.transactionValue < 100 && r.sub.currency == 'EUR' && r.sub.jurisdiction in ('DE', 'FR', 'US')
`)
  const actions = ['shopping:search', 'shopping:checkout', 'read_data:list']
  const lines = actions.flatMap((action) => [`p, ${action}, /api/products/*`, `p, ${action}, /api/orders/*`])
  const enforcer = await newEnforcer(model, new StringAdapter(lines.join('\n')))
  return {
    name: 'casbin',
    decide: (request, now) => enforcer.enforceSync({ ...request, ...wallClock(now) }, request.purpose),
  }
}

function wallClock(now: number): { weekday: number; hour: number } {
  const local = now + zoneOf(TIMEZONE).offsetAt(now)
  const day = Math.floor(local / 86_400_000)
  return { weekday: (day + 4) % 7, hour: Math.floor((local - day * 86_400_000) / 3_600_000) }
}

function grantedRequests(): Request[] {
  const purposes = ['shopping:search', 'shopping:checkout', 'read_data:list']
  const jurisdictions = ['DE', 'FR', 'US']
  return Array.from({ length: 60 }, (_, index) => ({
    agentId: 'SVC-bench',
    purpose: purposes[index % 3] ?? '',
    resource: index % 2 === 0 ? `/api/products/${index}/reviews` : `/api/orders/${index}`,
    jurisdiction: jurisdictions[index % 3] ?? '',
    transactionValue: index,
    currency: 'EUR',
  }))
}

/** A comparison of engines that decide differently would be worth nothing. */
function checkVerdicts(engine: Engine, granted: readonly Request[]): void {
  const [first] = granted
  if (first === undefined) throw new Error('there is nothing to compare')
  const denied: Request[] = [
    { ...first, purpose: 'gaming:play' },
    { ...first, purpose: 'shopping:refund' },
    { ...first, resource: '/admin/users' },
    { ...first, jurisdiction: 'CN' },
    { ...first, transactionValue: 100 },
    { ...first, currency: 'USD' },
  ]
  const isRight =
    granted.every((request) => engine.decide(request, NOW)) &&
    denied.every((request) => !engine.decide(request, NOW)) &&
    !engine.decide(first, NOW + 12 * 3_600_000)
  if (!isRight) throw new Error(`${engine.name} does not decide as the policy says`)
}

function run(engine: Engine, requests: readonly Request[], count: number): number {
  let allowed = 0
  for (let index = 0; index < count; index += 1) {
    const request = requests[index % requests.length]
    if (request !== undefined && engine.decide(request, NOW + index)) allowed += 1
  }
  if (allowed !== count) throw new Error(`${engine.name} denied what it had granted`)
  return allowed
}

/** Times decisions one by one; the two clock readings around each are measured as well and taken off. */
function latencies(engine: Engine, requests: readonly Request[]): { p50Micros: number; p99Micros: number } {
  const samples = new Float64Array(SAMPLES)
  const empty = new Float64Array(SAMPLES)
  for (let index = 0; index < SAMPLES; index += 1) {
    const request = requests[index % requests.length]
    if (request === undefined) continue
    const started = performance.now()
    engine.decide(request, NOW + index)
    const between = performance.now()
    samples[index] = between - started
    empty[index] = performance.now() - between
  }
  samples.sort()
  empty.sort()
  const clock = quantile(empty, 0.5)
  const micros = (share: number) => Math.max(0, (quantile(samples, share) - clock) * 1000)
  return { p50Micros: micros(0.5), p99Micros: micros(0.99) }
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

if (import.meta.main) {
  for (const row of await measureLocalEvaluation()) {
    const rate = Math.round(row.decisionsPerSecond).toLocaleString('en-US').padStart(12)
    const times = `p50 ${row.p50Micros.toFixed(2)} µs   p99 ${row.p99Micros.toFixed(2)} µs`
    console.log(`${row.name.padEnd(24)}${rate} decisions/s   ${times}`)
  }
}
