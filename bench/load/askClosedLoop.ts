import { askProcess, type ProcessOptions } from './askProcess.ts'
import type { ClosedLoopJob, ClosedLoopResult } from './closedLoopJob.ts'

const TIMEOUT_MS = 180_000

/**
 * Has a process of its own send the requests of a job, each connection one at a time.
 *
 * @throws Error when it does not end within three minutes.
 */
export function askClosedLoop(job: ClosedLoopJob, options?: ProcessOptions): Promise<ClosedLoopResult> {
  return askProcess(new URL('./closedLoop.ts', import.meta.url), job, TIMEOUT_MS, options)
}
