import { session } from './session.ts'

/**
 * Forgets all answers as soon as the session they were given in is over, however it ended.
 *
 * What the next one in this tab sees must not begin with what the last one had read.
 */
export function clearWithSession(answers: { clear: () => void }): void {
  let before = signedInId()
  session.subscribe(() => {
    const now = signedInId()
    if (before !== null && now !== before) answers.clear()
    before = now
  })
}

function signedInId(): string | null {
  const state = session.read()
  return state.status === 'signedIn' ? state.user.id : null
}
