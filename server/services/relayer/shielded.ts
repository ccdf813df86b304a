import { ApiError } from '../../errors.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { LeaseLost } from './lease.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const RETRY_MS = 60_000

/**
 * Does something for one intent so that its failure does not stop the others: the intent is looked at again later,
 * and `otherwise` is the answer. A chain that is away and a lost lease concern all and are passed on.
 */
export async function shielded<T>(
  deps: RelayerDeps,
  intent: Intent,
  work: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError || error instanceof LeaseLost) throw error
    const lastError = error instanceof Error ? error.message : String(error)
    deps.log.warn({ intent: intent.idempotencyKey, error: lastError }, 'an intent cannot be handled')
    const now = deps.clock()
    const nextAttemptAt = now + RETRY_MS
    await deps.fenced((trx) => deps.stores.outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
    return otherwise
  }
}
