import type { Intent } from '../../store/relayer/intentRow.ts'
import { describeFailure } from './describeFailure.ts'
import { handlerOf } from './intentHandler.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const NOTIFIED_MAX = 100
/** Time after which a round begins no further notification, because the next batch waits for its end. */
const NOTIFYING_MS = 2_000
const RETRY_MS = 10_000

/**
 * Notifies others of confirmed intents, after the commit, and then settles the intents. If the process is killed in
 * between, it notifies them again.
 *
 * @returns How many intents were settled.
 */
export async function notifyConfirmed(
  deps: Pick<RelayerDeps, 'stores' | 'whileLeaseHeld' | 'handlers' | 'clock' | 'log'>,
): Promise<number> {
  const { outbox } = deps.stores
  let settled = 0
  const begun = deps.clock()
  const due = (await outbox.open(['confirmed'], NOTIFIED_MAX)).filter(
    ({ nextAttemptAt }) => nextAttemptAt <= begun,
  )
  for (const intent of due) {
    const now = deps.clock()
    if (now - begun > NOTIFYING_MS) break
    try {
      await handlerOf(deps.handlers, intent).notifyConfirmed?.(intent)
    } catch (error) {
      const lastError = describeFailure(error)
      deps.log.warn({ intent: intent.idempotencyKey, err: error }, 'failed to notify of a confirmation')
      const nextAttemptAt = now + RETRY_MS
      await deps.whileLeaseHeld((trx) => outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
      continue
    }
    await deps.whileLeaseHeld((trx) => outbox.settle(trx, intent.id, now))
    settled += 1
  }
  return settled
}

/**
 * Notifies others that an intent has failed or left the chain, after the commit.
 *
 * A failure here stops nothing: the receivers read the state from the database again at the next start, or when the intent
 * is confirmed after all.
 */
export async function notifyUndone(
  deps: Pick<RelayerDeps, 'handlers' | 'log'>,
  intent: Intent,
): Promise<void> {
  try {
    await handlerOf(deps.handlers, intent).notifyUndone?.(intent)
  } catch (error) {
    deps.log.warn({ intent: intent.idempotencyKey, err: error }, 'failed to notify of an undone intent')
  }
}
