import type { Intent } from '../../store/relayer/intentRow.ts'
import type { IntentHandler } from './intentHandler.ts'
import type { IntentKind } from './intents.ts'

/** The handler of an intent. @throws Error for a kind that this version does not know. */
export function handlerOf(handlers: Record<IntentKind, IntentHandler>, intent: Intent): IntentHandler {
  const handler = (handlers as Record<string, IntentHandler | undefined>)[intent.kind]
  if (handler === undefined) throw new Error(`no handler for ${intent.kind}, intent ${intent.id}`)
  return handler
}
