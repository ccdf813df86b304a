import type { HealthCheck } from '@svc/core/contract/service.ts'
import { settleWithin } from './settleWithin.ts'

export type CommitCheckDeps = {
  /** Commits something; rejects if it cannot. */
  commit(): Promise<unknown>
  /** Reads something on a connection of readers, who have to be served too; rejects if it cannot. */
  read(): Promise<unknown>
  /** Whether the last commit of any request failed, or is refused by another program. */
  isFailing(): boolean
  /** Called with the cause when commits begin to fail. */
  report(cause: unknown): void
  /** Monotonic milliseconds. */
  clock(): number
}

/** A commit at most this often, because anyone may ask for the health, and each commit is a sync of the disk. */
const INTERVAL_MS = 500
/** How long the health waits for a commit. A busy disk may take longer without failing. */
const WAIT_MS = 400
/**
 * A commit that has run for longer fails the health. The recorder gives it up only after seconds, for instance without the
 * synchronous standby, and no decision is recorded meanwhile.
 */
const PATIENCE_MS = 900

const PASS: HealthCheck = { status: 'pass' }
const FAILED: HealthCheck = { status: 'fail', detail: 'commits fail; the log has the cause' }
const SLOW: HealthCheck = { status: 'warn', detail: 'a commit takes longer than usual' }
const HANGING: HealthCheck = { status: 'fail', detail: 'a commit does not finish' }

/**
 * Creates the check whether decisions can be recorded: it commits, so that it fails while commits fail or hang, and passes
 * again by itself, also where failing health keeps all other requests away.
 *
 * A request whose commit failed lets the next check commit at once.
 */
export function createCommitCheck({
  commit,
  read,
  isFailing,
  report,
  clock,
}: CommitCheckDeps): () => Promise<HealthCheck> {
  let running: Promise<void> | null = null
  let startedAt = Number.NEGATIVE_INFINITY
  let isCommitting = false
  let last = PASS
  const probeCommit = async () => {
    isCommitting = true
    try {
      await commit()
    } finally {
      isCommitting = false
    }
  }
  const start = async () => {
    startedAt = clock()
    const probes = [read(), probeCommit()]
    try {
      await Promise.all(probes)
      last = PASS
    } catch (cause) {
      if (last.status === 'pass') report(cause)
      last = FAILED
      // The other one may hang, and what hangs must not become more with each check.
      await Promise.allSettled(probes)
    }
    running = null
  }
  return async () => {
    const isStale = clock() - startedAt >= INTERVAL_MS || (last.status === 'pass' && isFailing())
    if (running === null && isStale) running = start()
    if (running !== null) await settleWithin(running, WAIT_MS, undefined)
    if (running === null) return last
    if (last.status === 'fail' || isFailing()) return FAILED
    return isCommitting && clock() - startedAt > PATIENCE_MS ? HANGING : SLOW
  }
}
