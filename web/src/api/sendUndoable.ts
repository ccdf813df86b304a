import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import { isSameJson } from '../parts/isSameJson.ts'
import { ApiFailure } from './apiFailure.ts'
import type { AnyCall } from './call.ts'
import { sendCall } from './callApi.ts'
import { withElevation } from './withElevation.ts'

type Settings = Readonly<Record<string, unknown>>

/** Where the settings are that a change replaces, by the names that its body has. */
export type Undoable<Answer> = { read: () => Promise<Settings>; settingsOf: (answer: Answer) => Settings }

/** `undo` saves the former settings again and says in words what came of it; null if the change cannot be undone. */
type Sent<Answer> = { answer: Answer; undo: (() => Promise<string>) | null }

/**
 * Sends a change, with a fresh passkey assertion if required, so that it can be undone if it replaces settings.
 *
 * What needed a passkey is not undone: a passkey confirms what its owner sees, such as a boundary in its form.
 *
 * @throws ApiFailure.
 */
export async function sendUndoable<Key extends OperationKey>(
  key: Key,
  call: AnyCall,
  undoable: Undoable<AnswerOf<Key>> | undefined,
): Promise<Sent<AnswerOf<Key>>> {
  // If they cannot be read, the change is still sent.
  const before = undoable ? await undoable.read().catch(() => null) : null
  let isElevated = false
  const answer = await withElevation((elevation) => {
    isElevated = elevation !== null
    return sendCall(key, call, elevation)
  })
  if (undoable === undefined || before === null || isElevated) return { answer, undo: null }
  const names = Object.keys(call.body ?? {})
  const saved = pick(undoable.settingsOf(answer), names)
  const former = pick(before, names)
  const isUnchanged = async () => isSameJson(pick(await undoable.read(), names), saved)
  return { answer, undo: () => restore(isUnchanged, () => sendCall(key, { ...call, body: former })) }
}

function pick(from: Settings, names: readonly string[]): Settings {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}

/** The operations have no precondition, so a change between reading and saving is not seen. */
async function restore(isUnchanged: () => Promise<boolean>, save: () => Promise<unknown>): Promise<string> {
  try {
    if (!(await isUnchanged())) return 'Not undone: it has been changed again since.'
    await save()
    return 'Undone'
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return `Not undone: ${error.message}`
  }
}
