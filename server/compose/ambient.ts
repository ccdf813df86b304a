import type { startLocalChain } from '../chain/localChain.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { MetricValues } from '../external/telemetry/metrics.ts'

/** Dependencies of the service on its environment besides the configuration. */
export type Ambient = {
  log: Logger
  /** Epoch milliseconds. */
  clock?: () => number
  /** How long an agent’s answer to a challenge, and a signer’s keys, may take; tests on a busy machine wait longer. */
  answerTimeoutMs?: number
  startLocalChain?: typeof startLocalChain
  /** Combines the metrics of this process with those of others; by default, only its own. */
  gatherMetrics?: (own: () => Promise<MetricValues>) => () => Promise<string>
}
