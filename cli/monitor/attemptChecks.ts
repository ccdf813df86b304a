import { UsageError } from '../terminal/usageError.ts'
import { cutDocument } from './findings.ts'
import { Unchecked } from './openMonitoredService.ts'

/** Why something could not be checked. */
export type Obstacle = {
  text: string
  /** Signed documents that show it. */
  evidence: string[]
}

/** Describes an obstacle. Its documents are cut like those of a finding. */
export function createObstacle(text: string, evidence: readonly string[] = []): Obstacle {
  return { text, evidence: evidence.map(cutDocument) }
}

/** Does a check; false if something prevented it. */
export type Attempt = (check: () => Promise<void>) => Promise<boolean>

/**
 * Creates a function that does a check and adds what prevents it to the obstacles. An error that nobody expected is one as
 * well: whatever a service sends, the monitor goes on.
 *
 * @param signal Ends the look.
 * @throws UsageError of a check: a file of this machine that cannot be read.
 */
export function attemptChecks(obstacles: Obstacle[], signal: AbortSignal): Attempt {
  return async (check) => {
    try {
      signal.throwIfAborted()
      await check()
      return true
    } catch (error) {
      if (error instanceof UsageError) throw error
      obstacles.push(describe(error, signal))
      return false
    }
  }
}

function describe(error: unknown, signal: AbortSignal): Obstacle {
  const evidence = error instanceof Unchecked ? error.evidence : []
  if (signal.aborted) return createObstacle('the look took too long, and was ended', evidence)
  if (error instanceof Unchecked) return createObstacle(error.message, evidence)
  return createObstacle(`the check failed unexpectedly: ${String(error)}`)
}
