import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import { isSameJson } from '../parts/isSameJson.ts'
import { ApiFailure } from './apiFailure.ts'
import type { AnyCall } from './call.ts'
import { sendCall } from './callApi.ts'
import type { Settings, TaggedSettings } from './readSettings.ts'
import { sayUndone } from './sayUndone.ts'
import { withElevation } from './withElevation.ts'
import { withFreshProof } from './withFreshProof.ts'

/** Where the settings are that a change replaces. */
export type Undoable<Answer> = {
  read: () => Promise<TaggedSettings>
  settingsOf: (answer: Answer) => Settings
  /** The settings that the change replaces; those that its body names, by default. */
  names?: readonly string[]
  /** Saves former settings; by default, the same operation does. */
  restore?: (former: Settings, headers: Readonly<Record<string, string>>) => Promise<unknown>
}

/** `undo` saves the former settings again and says in words what came of it; null if the change cannot be undone. */
type Sent<Answer> = { answer: Answer; undo: (() => Promise<string>) | null }

/** Sends the change with this body, if the settings still have the tag. */
type Send<Answer> = (body: unknown, tag: string | null) => Promise<Answer>

/** Changes for which a recent sign-in is enough if the account has no passkey. */
const AFTER_SIGN_IN: ReadonlySet<OperationKey> = new Set([
  'DELETE /api/me',
  'POST /api/auth/mfa/totp',
  'POST /api/auth/oauth/:provider/link',
])

/** How often a change is sent, because somebody else may have changed the settings in between. */
const ATTEMPTS_MAX = 3

/**
 * Sends a change, with a fresh passkey assertion if required, so that it can be undone if it replaces settings.
 *
 * The service checks that what was read is what the change replaces, and that undoing replaces nothing but this change: what
 * somebody else has changed meanwhile stays. A change that needed a passkey needs one again to be undone.
 *
 * @throws ApiFailure.
 */
export async function sendUndoable<Key extends OperationKey>(
  key: Key,
  call: AnyCall,
  undoable: Undoable<AnswerOf<Key>> | undefined,
): Promise<Sent<AnswerOf<Key>>> {
  const send: Send<AnswerOf<Key>> = (body, tag) => {
    const headers = { ...call.headers, ...(tag === null ? {} : expecting(tag)) }
    const prove = AFTER_SIGN_IN.has(key) ? withFreshProof : withElevation
    return prove((elevation) => sendCall(key, { ...call, body, headers }, elevation))
  }
  if (undoable === undefined) return { answer: await send(call.body, null), undo: null }
  const { answer, before } = await saveOver(undoable, call.body, send)
  if (before === null) return { answer, undo: null }
  const names = undoable.names ?? Object.keys(call.body ?? {})
  const saved = pick(undoable.settingsOf(answer), names)
  const former = pick(before, names)
  return { answer, undo: () => sayUndone(() => restore(undoable, { saved, former }, send)) }
}

/** Saves, and returns exactly what that replaced; null if it could not be read. The change is sent in any case. */
async function saveOver<Answer>(
  { read }: Undoable<Answer>,
  body: unknown,
  send: Send<Answer>,
): Promise<{ answer: Answer; before: Settings | null }> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const before = await read().catch(() => null)
    if (before === null || before.tag === null) break
    const answer = await unlessChanged(send(body, before.tag))
    if (answer !== null) return { answer, before: before.settings }
  }
  return { answer: await send(body, null), before: null }
}

async function restore<Answer>(
  { read, restore: save }: Undoable<Answer>,
  { saved, former }: { saved: Settings; former: Settings },
  send: Send<Answer>,
): Promise<'undone' | 'changed'> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { settings, tag } = await read()
    if (tag === null || !isSameJson(pick(settings, Object.keys(saved)), saved)) return 'changed'
    const sent = save === undefined ? send(former, tag) : save(former, expecting(tag))
    if ((await unlessChanged(sent)) !== null) return 'undone'
  }
  return 'changed'
}

/** Null if the service refused because the settings have changed. */
export async function unlessChanged<Answer>(sent: Promise<Answer>): Promise<Answer | null> {
  try {
    return await sent
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'PRECONDITION_FAILED') return null
    throw error
  }
}

function expecting(tag: string) {
  return { 'If-Match': tag }
}

function pick(from: Settings, names: readonly string[]): Settings {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}
