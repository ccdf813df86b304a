import type { ClosedLoopJob, ClosedLoopResult } from './closedLoopJob.ts'
import { type ProcessOptions, runInProcess } from './runInProcess.ts'

const TIMEOUT_MS = 180_000

/**
 * Sends the requests of a job from a separate process, each connection one at a time.
 *
 * @throws Error if it does not finish within three minutes.
 */
export function runClosedLoop(job: ClosedLoopJob, options?: ProcessOptions): Promise<ClosedLoopResult> {
  return runInProcess(new URL('./closedLoop.ts', import.meta.url), job, TIMEOUT_MS, options)
}
