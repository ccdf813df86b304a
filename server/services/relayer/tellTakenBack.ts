import type { Intent } from '../../store/relayer/intentRow.ts'
import { handlerOf } from './handlerOf.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/**
 * Tells those who remember it that an intent failed or is in no block any more, after the commit that says so.
 *
 * A failure to tell stops nothing: what is told is read from the database again at the next start, or when the intent
 * is confirmed after all.
 */
export async function tellTakenBack(
  deps: Pick<RelayerDeps, 'handlers' | 'log'>,
  intent: Intent,
): Promise<void> {
  try {
    await handlerOf(deps.handlers, intent).takenBack?.(intent)
  } catch (error) {
    deps.log.warn({ intent: intent.idempotencyKey, err: error }, 'what was taken back could not be told')
  }
}
