import { createMetrics, type MetricValues } from '../external/telemetry/metrics.ts'
import { type CheckHealthDeps, checkHealth } from '../services/health/checkHealth.ts'
import { settleWithin } from '../services/health/settleWithin.ts'
import type { Db } from '../store/database/database.ts'
import { createQueueStore } from '../store/relayer/queueStore.ts'
import type { ComposedAudit } from './audit/composeAudit.ts'
import type { ChainPart } from './chain/composeChain.ts'

export type ComposeMetricsDeps = {
  db: Db
  chain: Pick<ChainPart, 'relayerStatus' | 'wasRelayer'>
  audit: Pick<ComposedAudit, 'check'> & { witnesses: Pick<ComposedAudit['witnesses'], 'states'> }
  health: CheckHealthDeps
  clock: () => number
  /** Combines the metrics of this process with those of others; by default, only its own. */
  gather?: ((own: () => Promise<MetricValues>) => () => Promise<string>) | undefined
}

/**
 * How long the metrics wait for figures from the database. A scrape has to report that it is lost, and several processes
 * wait only two seconds for one another.
 */
const WAIT_MS = 700

/** Composes the metrics: responses and decisions as they happen, and queues when they are read. */
export function composeMetrics({ db, chain, audit, health, clock, gather }: ComposeMetricsDeps) {
  const queues = createQueueStore(db.query)
  const metrics = createMetrics({
    async health() {
      const { checks } = await checkHealth(health, { now: clock() })
      return Object.fromEntries(Object.entries(checks).map(([check, { status }]) => [check, status]))
    },
    isRelayer: chain.wasRelayer,
    relayer: readInTime(chain.relayerStatus),
    witnesses: readInTime(audit.witnesses.states),
    queues: readInTime(async () => {
      const [{ observed }, depths] = await Promise.all([audit.check(), queues.depths()])
      const { waiting, oldestSeconds, pendingSeconds } = observed ?? {}
      return {
        ...depths,
        unanchored: Number(waiting ?? 0),
        unanchoredSeconds: Number(oldestSeconds ?? 0),
        pendingSeconds: Number(pendingSeconds ?? 0),
      }
    }),
  })
  const read = gather?.(metrics.values) ?? metrics.read
  return {
    /** Counts one answered request. */
    observe: metrics.observe,
    /** The body of `GET /metrics`. */
    readMetrics: async () => ({ body: await read(), contentType: metrics.contentType }),
    /** Measures a decision of verify-access. Refused requests are counted by route only. */
    async measure<Answer extends { recommendation: string }>(decide: () => Promise<Answer>): Promise<Answer> {
      const startedAt = performance.now()
      const answer = await decide()
      metrics.observeDecision(answer.recommendation, (performance.now() - startedAt) / 1000)
      return answer
    },
  }
}

/** Returns a reading that fails if it takes longer than the metrics wait. */
function readInTime<Figures extends object>(read: () => Promise<Figures>): () => Promise<Figures> {
  return async () => {
    const figures = await settleWithin<Figures | null>(read(), WAIT_MS, null)
    if (figures === null) throw new Error(`the figures were not read within ${WAIT_MS} ms`)
    return figures
  }
}
