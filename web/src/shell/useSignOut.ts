import { session } from '../api/session.ts'
import { navigate } from '../router/navigate.ts'

/** Returns a function that signs out and goes to the home page, since the current page may belong to the account. */
export function useSignOut(): () => void {
  return () => {
    void session.end()
    navigate('/', { replace: true })
  }
}
