import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { styleText } from 'node:util'
import { beginLocalChain } from './chain/beginLocalChain.ts'
import type { Ambient } from './compose/ambient.ts'
import { linkToPrimary } from './compose/processes/linkToPrimary.ts'
import type { Service } from './compose.ts'
import { type Config, readConfig } from './config.ts'
import { createLogger, type Logger } from './external/telemetry/logger.ts'
import { explainServerFailure } from './terminal/explainServerFailure.ts'
import { explainStartFailure } from './terminal/explainStartFailure.ts'
import { renderSummary, type Style } from './terminal/renderSummary.ts'
import type { ServiceSummary } from './terminal/serviceSummary.ts'

/** How long a stop may take after `DRAIN_SECONDS` before it is forced. */
const STOP_TIMEOUT_MS = 10_000
/**
 * A single request to stop may arrive as several signals: a supervisor or terminal signals the whole process group, and npm
 * forwards its own. A signal that arrives later than this after the first one forces the stop.
 */
const SAME_STOP_MS = 1_000

/** The connection to the primary if there are several processes. */
const primary = cluster.isWorker ? linkToPrimary() : null

const config = loadConfiguration()
const log = createLogger(config.log)

try {
  const service = await start(config, log)
  stopOnSignals(service.stop)
  // For the next start: Node writes its compile cache only on a regular exit, which a killed process misses. Here it delays
  // no request except the first ones.
  flushCompileCache()
  if (primary) primary.ready(service.summary)
  else announce(service.summary)
} catch (error) {
  const reason = explainStartFailure(error, config)
  log.debug({ err: error }, 'the start failed')
  if (config.log.format === 'json') log.fatal({ reason }, 'the service could not start')
  await primary?.failed(reason)
  fail(reason)
}

/** A person gets a summary, and a supervisor one line. */
function announce(summary: ServiceSummary): void {
  if (config.log.format === 'json') {
    console.log(`ready ${summary.url}`)
    return
  }
  const { stdout } = process
  const paint = (style: Style, text: string) => styleText(style, text, { stream: stdout })
  console.log(renderSummary(summary, { columns: stdout.columns || 80, paint, workingFolder: process.cwd() }))
}

async function start(config: Config, log: Logger): Promise<Service> {
  if (primary) return await composeWith(config, { log, gatherMetrics: primary.gatherMetrics })
  if (config.workers === 1) return await composeWith(config, { log })
  const { runWorkers } = await import('./compose/processes/runWorkers.ts')
  return await runWorkers(config, log)
}

/** Loads the service while the local chain starts, if there is one. */
async function composeWith(config: Config, ambient: Ambient): Promise<Service> {
  const startLocalChain = config.chain.local ? beginLocalChain(config.chain.port) : undefined
  const { compose } = await import('./compose.ts')
  return await compose(config, { ...ambient, ...(startLocalChain ? { startLocalChain } : {}) })
}

function loadConfiguration(): Config {
  try {
    return readConfig(process.env, process.stdout.isTTY && process.stderr.isTTY)
  } catch (error) {
    return fail(sentenceOf(error))
  }
}

/** Prints one sentence on standard error for the operator; with several processes, only the first prints it. */
function fail(reason: string): never {
  if (!primary) console.error(`${styleText('red', 'Cannot start:', { stream: process.stderr })} ${reason}`)
  process.exit(1)
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Stops on signals and, with several processes, on the primary’s message, which arrives in addition to a signal to the
 * whole group.
 */
function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false
  const begin = () => {
    stopping = true
    const timeoutMs = config.http.drainSeconds * 1000 + STOP_TIMEOUT_MS
    setTimeout(() => {
      log.fatal(`the stop took longer than ${timeoutMs / 1000} s and is forced`)
      process.exit(1)
    }, timeoutMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'the service did not stop in order')
        const reason = explainServerFailure(error, config.databaseUrl) ?? sentenceOf(error)
        if (!primary) console.error(`Did not stop in order: ${reason}`)
        process.exit(1)
      },
    )
  }
  let firstAt = Number.POSITIVE_INFINITY
  // A terminal that is closed sends SIGHUP.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const now = performance.now()
      if (now - firstAt >= SAME_STOP_MS) process.exit(1)
      firstAt = Math.min(firstAt, now)
      if (!stopping) begin()
    })
  }
  primary?.onStop(() => {
    if (!stopping) begin()
  })
}
