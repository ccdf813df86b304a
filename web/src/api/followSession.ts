import { session, userOf } from './session.ts'

/**
 * Clears a cache whenever the account changes, so that the next person in this browser sees nothing of the last, and reads
 * what is shown again when someone continues a session that had ended.
 */
export function followSession(cache: { clear: () => void; invalidateQueries: () => unknown }): void {
  let previous = session.read()
  session.subscribe(() => {
    const current = session.read()
    const userId = userOf(previous)?.id
    if (userId !== undefined && userOf(current)?.id !== userId) cache.clear()
    else if (previous.status === 'ended' && current.status === 'signedIn') void cache.invalidateQueries()
    previous = current
  })
}
