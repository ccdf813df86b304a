import type { Config } from '../config.ts'
import type { Logger } from '../external/logger.ts'
import type { Tracing } from '../external/tracing.ts'

/** Loads the exporter of traces, which takes 0.2 seconds, only where traces are wanted. */
export async function loadTracing(
  settings: Config['tracing'],
  version: string,
  log: Logger,
): Promise<Tracing | undefined> {
  if (settings === null) return undefined
  const { startTracing } = await import('../external/startTracing.ts')
  return startTracing({ ...settings, version, log })
}
