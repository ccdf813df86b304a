import { session } from '../api/session.ts'
import { leaveGuard } from '../router/leaveGuard.ts'
import { navigate } from '../router/navigate.ts'

/**
 * Returns a function that signs out and goes to the home page, since the current page may belong to the account; unsaved
 * changes are not lost without a question.
 */
export function useSignOut(): () => void {
  return () => {
    if (!leaveGuard.allows()) return
    void session.end()
    navigate('/', { replace: true })
  }
}
