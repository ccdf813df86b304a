import { session } from './session.ts'

/** Clears a cache whenever the signed-in account changes, so that the next person in this tab sees nothing of the last. */
export function clearOnSessionEnd(cache: { clear: () => void }): void {
  let previous = readSignedInId()
  session.subscribe(() => {
    const current = readSignedInId()
    if (previous !== null && current !== previous) cache.clear()
    previous = current
  })
}

function readSignedInId(): string | null {
  const state = session.read()
  return state.status === 'signedIn' ? state.user.id : null
}
