import { compilePolicyFile } from '@svc/client/policy/compilePolicyFile.ts'
import { createCasbinEngine } from './localEvaluation/createCasbinEngine.ts'
import { createCaslEngine } from './localEvaluation/createCaslEngine.ts'
import { createCedarEngine } from './localEvaluation/createCedarEngine.ts'
import { createHandWrittenEngine } from './localEvaluation/createHandWrittenEngine.ts'
import { createJsonLogicEngine } from './localEvaluation/createJsonLogicEngine.ts'
import type { DecisionEngine, DecisionRequest } from './localEvaluation/decisionEngine.ts'

/** The figures of one engine, with the times of a single decision in microseconds. */
export type LocalEvaluationRow = {
  name: string
  /** Of the mix. */
  decisionsPerSecond: number
  /** Of requests that are all allowed. */
  grantsPerSecond: number
  p50Micros: number
  p99Micros: number
}

/** Noon on a Wednesday in Berlin. */
const NOW = Date.parse('2026-01-07T11:00:00Z')
const SAMPLES = 200_000
/** A multiple of the number of requests, so that every batch has the same share of each kind. */
const BATCH = 1_020
const TURNS = 100
const TURN_MS = 10

const POLICY = `
version: "1"
agent: { id: SVC-bench }
pdlss:
  purpose:
    categories: [shopping, read_data]
    allowedActions: [shopping.search, shopping.checkout, read_data.list]
    deniedActions: [shopping.refund]
  duration: { allowedDays: [1, 2, 3, 4, 5], allowedHours: { start: 8, end: 20 }, timezone: Europe/Berlin }
  limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: EUR }
  scope: { jurisdictions: [DE, FR, US], resources: ["/api/products/**", "/api/orders/*"] }
`

/**
 * Measures the local evaluator next to its limit and its peers, with the same policy and requests in one process.
 *
 * Every engine must first return the same verdicts. A mix is timed, of which 65 % are granted, 20 % denied, and 15 % held
 * for their value, which the peers can only deny; and grants by themselves. Engines take turns, and the fastest turn of
 * each counts, because other work on the machine only ever makes turns slower.
 */
export async function measureLocalEvaluation(): Promise<LocalEvaluationRow[]> {
  const engines = [
    createOwnEngine(),
    createHandWrittenEngine(),
    createCaslEngine(),
    await createCasbinEngine(),
    createJsonLogicEngine(),
    createCedarEngine(),
  ]
  const granted = buildGrantedRequests()
  const mix = buildMix(granted)
  for (const engine of engines) checkVerdicts(engine, granted)
  const fastest = engines.map(() => ({ mix: 0, granted: 0 }))
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [index, engine] of engines.entries()) {
      const best = fastest[index] ?? { mix: 0, granted: 0 }
      best.mix = Math.max(best.mix, measureRate(engine, mix))
      best.granted = Math.max(best.granted, measureRate(engine, granted))
    }
  }
  return engines.map((engine, index) => ({
    name: engine.name,
    decisionsPerSecond: fastest[index]?.mix ?? 0,
    grantsPerSecond: fastest[index]?.granted ?? 0,
    ...measureLatencies(engine, mix),
  }))
}

function measureRate(engine: DecisionEngine, requests: readonly DecisionRequest[]): number {
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

function createOwnEngine(): DecisionEngine {
  const { evaluate } = compilePolicyFile(POLICY)
  return { name: 'local evaluator', decide: (request, now) => evaluate(request, now).access.allowed }
}

function buildGrantedRequests(): DecisionRequest[] {
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

/** Requests that no engine allows: of the changes to a granted one, the last is held by ours, the others denied. */
const REFUSED: readonly Partial<DecisionRequest>[] = [
  { purpose: 'gaming:play' },
  { purpose: 'shopping:refund' },
  { resource: '/admin/users' },
  { jurisdiction: 'CN' },
  { currency: 'USD' },
  { transactionValue: 100 },
]
const [HELD = {}] = REFUSED.slice(-1)

/** Of 20 requests, 13 are granted, 4 denied and 3 held; the kinds alternate. */
function buildMix(granted: readonly DecisionRequest[]): DecisionRequest[] {
  return granted.map((request, index) => {
    const at = (index * 7) % 20
    if (at < 13) return request
    const change = at < 16 ? HELD : REFUSED[index % (REFUSED.length - 1)]
    return { ...request, ...change }
  })
}

/** Comparing engines that decide differently would be meaningless. */
function checkVerdicts(engine: DecisionEngine, granted: readonly DecisionRequest[]): void {
  const refused = granted.flatMap((request) => REFUSED.map((change) => ({ ...request, ...change })))
  const isRight =
    granted.every((request) => engine.decide(request, NOW)) &&
    refused.every((request) => !engine.decide(request, NOW)) &&
    granted.every((request) => !engine.decide(request, NOW + 12 * 3_600_000))
  if (!isRight) throw new Error(`${engine.name} does not follow the policy`)
}

function run(engine: DecisionEngine, requests: readonly DecisionRequest[], count: number): number {
  let allowed = 0
  for (let index = 0; index < count; index += 1) {
    const request = requests[index % requests.length]
    if (request !== undefined && engine.decide(request, NOW + index)) allowed += 1
  }
  return allowed
}

/** Times decisions one by one, and subtracts the measured cost of reading the clock. */
function measureLatencies(
  engine: DecisionEngine,
  requests: readonly DecisionRequest[],
): { p50Micros: number; p99Micros: number } {
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
    const [mix, grants] = [row.decisionsPerSecond, row.grantsPerSecond].map((rate) =>
      Math.round(rate).toLocaleString('en-US').padStart(12),
    )
    const times = `p50 ${row.p50Micros.toFixed(2)} µs   p99 ${row.p99Micros.toFixed(2)} µs`
    console.log(`${row.name.padEnd(24)}${mix} decisions/s, of grants ${grants}   ${times}`)
  }
}
