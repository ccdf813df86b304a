import { compose } from './compose.ts'
import { type Config, readConfig } from './config.ts'
import { createLogger } from './external/logger.ts'

/** How long a stop may take before it is forced. */
const STOP_TIMEOUT_MS = 10_000

const config = configuration()
const log = createLogger(config.logLevel)

try {
  const service = await compose(config, { log })
  stopOnSignals(service.stop)
  console.log(`ready ${service.url}`)
} catch (error) {
  log.fatal({ err: error }, 'the service could not start')
  fail(error)
}

function configuration(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

/** One sentence on standard error is what the person who started it needs. */
function fail(error: unknown): never {
  console.error(`Cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
      stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    })
  }
}
