import { ApiError } from '../../errors.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { describeFailure } from './describeFailure.ts'
import { LeaseLost } from './lease.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const RETRY_MS = 60_000
const BACK_OFF_FIRST_MS = 1_000
const BACK_OFF_MAX_MS = 300_000

/**
 * Runs work for one intent so that its failure does not stop the others: the intent is deferred, and `fallback` is
 * returned. An unreachable chain and a lost lease concern every intent and are thrown on.
 */
export async function isolateFailure<T>(
  deps: RelayerDeps,
  intent: Intent,
  work: () => Promise<T>,
  fallback: T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError || error instanceof LeaseLost) throw error
    const lastError = describeFailure(error)
    deps.log.warn({ intent: intent.idempotencyKey, err: error }, 'an intent could not be processed')
    const now = deps.clock()
    const nextAttemptAt = now + RETRY_MS
    await deps.whileLeaseHeld((trx) =>
      deps.stores.outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now),
    )
    return fallback
  }
}

/** Returns the pause after a number of failures, in milliseconds: it doubles up to five minutes. */
export function backOffMs(failures: number): number {
  return Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures, 20))
}
