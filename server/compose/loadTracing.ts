import type { Config } from '../config.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { Tracing } from '../external/telemetry/tracing.ts'

/** Loads the exporter of traces, which takes 0.2 seconds, only where traces are wanted. */
export async function loadTracing(
  settings: Config['tracing'],
  version: string,
  log: Logger,
): Promise<Tracing | undefined> {
  if (settings === null) return undefined
  const { startTracing } = await import('../external/telemetry/startTracing.ts')
  return startTracing({ ...settings, version, log })
}
