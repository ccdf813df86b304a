import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds, from a cached response to a stuck disk. */
const LATENCY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** The metrics of one process, in a form that can be sent to another. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The state of the relayer, read for each scrape. */
type RelayerFigures = {
  reachable: boolean
  backlog: number
  /** In wei. */
  balance: bigint | null
  balanceLow: boolean
  spareGwei: number | null
}

/** The lengths of the queues, read for each scrape. */
type QueueFigures = {
  mails: number
  webhooks: number
  /** Records that the feed does not contain yet. */
  feed: number
  /** Records that are not final on chain, and the age of the oldest. */
  unanchored: number
  unanchoredSeconds: number
  /** The age of the oldest committed record without a place in the log. */
  pendingSeconds: number
}

/** The state of one witness, read for each scrape. */
type WitnessFigures = {
  witness: string
  /** Final records that it has not cosigned. */
  behind: number
  failingSince: number | null
}

/** The checks of `GET /api/health`, each from best to worst. */
type HealthStatuses = Readonly<Record<string, (typeof STATUSES)[number]>>

const STATUSES = ['pass', 'warn', 'fail'] as const

export type MetricSources = {
  health: () => Promise<HealthStatuses>
  isRelayer: () => boolean
  relayer: () => Promise<RelayerFigures>
  queues: () => Promise<QueueFigures>
  witnesses: () => Promise<readonly WitnessFigures[]>
}

/**
 * Creates the metrics that Prometheus scrapes at `GET /metrics`.
 *
 * @param sources If one fails, its gauges keep their last values, so that the other metrics remain readable. The health and
 *   whether this process is the relayer never do, because alerts need them while the database is lost.
 */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const latency = new Histogram({
    name: 'svc_http_request_seconds',
    help: 'Time from the first byte to the answer, by route.',
    labelNames: ['route'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  })
  const decisions = new Histogram({
    name: 'svc_decision_seconds',
    help: 'Time to decide and record, by recommendation; dry runs included.',
    labelNames: ['recommendation'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  })
  const setProcess = createProcessGauges(registry)
  const setRelayer = createRelayerGauges(registry)
  const setQueues = createQueueGauges(registry)
  const setWitnesses = createWitnessGauges(registry)
  const refresh = async () => {
    const [health, relayer, queues, witnesses] = await Promise.allSettled([
      sources.health(),
      sources.relayer(),
      sources.queues(),
      sources.witnesses(),
    ])
    setProcess({
      health: health.status === 'fulfilled' ? health.value : null,
      isRelayer: sources.isRelayer(),
    })
    if (relayer.status === 'fulfilled') setRelayer(relayer.value)
    if (queues.status === 'fulfilled') setQueues(queues.value)
    if (witnesses.status === 'fulfilled') setWitnesses(witnesses.value)
  }
  const decisionOf = memoise((recommendation) => decisions.labels(recommendation))
  const counterOf = memoise((key) => {
    const at = key.lastIndexOf(' ')
    return requests.labels(key.slice(0, at), key.slice(at + 1))
  })
  const timerOf = memoise((route) => latency.labels(route))
  return {
    /** Counts one completed request. */
    observe(route: string, status: number, seconds: number): void {
      counterOf(`${route} ${status}`).inc()
      timerOf(route).observe(seconds)
    },
    /** Counts one decision. */
    observeDecision(recommendation: string, seconds: number): void {
      decisionOf(recommendation).observe(seconds)
    },
    /** Writes the metrics in the text format of Prometheus. */
    async read(): Promise<string> {
      await refresh()
      return await registry.metrics()
    },
    /** Returns the metrics as values, for a process that merges those of several. */
    async values(): Promise<MetricValues> {
      await refresh()
      return await registry.getMetricsAsJSON()
    },
    contentType: registry.contentType,
  }
}

/** Returns what is known of a process that does not respond: it is not healthy. */
export async function unhealthyValues(): Promise<MetricValues> {
  const registry = new Registry()
  createHealthyGauge(registry).set(0)
  return await registry.getMetricsAsJSON()
}

function createHealthyGauge(registry: Registry): Gauge {
  return new Gauge({
    name: 'svc_healthy',
    help: 'Whether decisions can be recorded: GET /api/health does not fail.',
    aggregator: 'min',
    registers: [registry],
  })
}

function createProcessGauges(
  registry: Registry,
): (found: { health: HealthStatuses | null; isRelayer: boolean }) => void {
  const healthy = createHealthyGauge(registry)
  const checks = new Gauge({
    name: 'svc_health_status',
    help: 'The status of each check of GET /api/health: 0 pass, 1 warn, 2 fail.',
    labelNames: ['check'],
    aggregator: 'max',
    registers: [registry],
  })
  const active = new Gauge({
    name: 'svc_relayer_active',
    help: 'Whether this process is the relayer.',
    aggregator: 'sum',
    registers: [registry],
  })
  return ({ health, isRelayer }) => {
    healthy.set(Number(health !== null && !Object.values(health).includes('fail')))
    for (const [check, status] of Object.entries(health ?? {}))
      checks.labels(check).set(STATUSES.indexOf(status))
    active.set(Number(isRelayer))
  }
}

function createRelayerGauges(registry: Registry): (figures: RelayerFigures) => void {
  // All processes report the same shared state, so a sum would be wrong.
  const gauge = (name: string, help: string, aggregator: 'max' | 'min' = 'max') =>
    new Gauge({ name, help, aggregator, registers: [registry] })
  const reachable = gauge('svc_chain_reachable', 'Whether the chain answered when last asked.', 'min')
  const backlog = gauge('svc_relayer_backlog', 'What waits to be put on chain.')
  const balance = gauge('svc_relayer_balance_ether', 'What the relayer has to pay gas with.')
  const low = gauge('svc_relayer_balance_low', 'Whether that is less than a quarter of the daily budget.')
  const spare = gauge('svc_relayer_budget_spare_ether', "What is left of the last 24 hours' budget.")
  return (figures) => {
    reachable.set(Number(figures.reachable))
    backlog.set(figures.backlog)
    if (figures.balance !== null) balance.set(Number(figures.balance) / 1e18)
    low.set(Number(figures.balanceLow))
    if (figures.spareGwei !== null) spare.set(figures.spareGwei / 1e9)
  }
}

function createQueueGauges(registry: Registry): (figures: QueueFigures) => void {
  // Shared state, like that of the relayer.
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, aggregator: 'max', registers: [registry] })
  const gauges = {
    mails: gauge('svc_mails_waiting', 'Mails that are not sent or given up.'),
    webhooks: gauge('svc_webhooks_waiting', 'Webhook deliveries that are not taken or given up.'),
    feed: gauge('svc_feed_behind_records', 'Records that the activity feed does not show yet.'),
    unanchored: gauge('svc_audit_unanchored_records', 'Audit records that are not final on chain.'),
    unanchoredSeconds: gauge('svc_audit_unanchored_seconds', 'How long the oldest of those has waited.'),
    pendingSeconds: gauge(
      'svc_audit_pending_seconds',
      'How long the oldest committed record has waited for its place in the log.',
    ),
  }
  return (figures) => {
    gauges.mails.set(figures.mails)
    gauges.webhooks.set(figures.webhooks)
    gauges.feed.set(figures.feed)
    gauges.unanchored.set(figures.unanchored)
    gauges.unanchoredSeconds.set(figures.unanchoredSeconds)
    gauges.pendingSeconds.set(figures.pendingSeconds)
  }
}

function createWitnessGauges(registry: Registry): (figures: readonly WitnessFigures[]) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['witness'], aggregator: 'max', registers: [registry] })
  const behind = gauge('svc_witness_behind_records', 'Final records that a witness has not cosigned.')
  const failing = gauge('svc_witness_failing', 'Whether the last attempt at a witness failed.')
  return (figures) => {
    for (const { witness, ...figure } of figures) {
      behind.labels(witness).set(figure.behind)
      failing.labels(witness).set(Number(figure.failingSince !== null))
    }
  }
}

/** Caches labelled children, because a lookup costs more than counting; routes and statuses are few. */
function memoise<Child>(make: (key: string) => Child): (key: string) => Child {
  const children = new Map<string, Child>()
  return (key) => {
    const known = children.get(key)
    if (known) return known
    const child = make(key)
    children.set(key, child)
    return child
  }
}
