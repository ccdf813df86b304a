import { handlerOf } from './handlerOf.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const TOLD_MAX = 100
const RETRY_MS = 10_000

/**
 * Tells those who wait for a confirmation, after its commit, and only then lets go of the intent: killed in between
 * it tells again.
 *
 * @returns How many intents were settled.
 */
export async function tellIntents(
  deps: Pick<RelayerDeps, 'stores' | 'fenced' | 'handlers' | 'clock' | 'log'>,
): Promise<number> {
  const { outbox } = deps.stores
  let told = 0
  for (const intent of await outbox.open(['confirmed'], TOLD_MAX)) {
    const now = deps.clock()
    if (intent.nextAttemptAt > now) continue
    try {
      await handlerOf(deps.handlers, intent).tell?.(intent)
    } catch (error) {
      const lastError = error instanceof Error ? error.message : String(error)
      deps.log.warn({ intent: intent.idempotencyKey, error: lastError }, 'the confirmation could not be told')
      const nextAttemptAt = now + RETRY_MS
      await deps.fenced((trx) => outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
      continue
    }
    await deps.fenced((trx) => outbox.settle(trx, intent.id, now))
    told += 1
  }
  return told
}
