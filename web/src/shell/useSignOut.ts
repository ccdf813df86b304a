import { session } from '../api/session.ts'
import { navigate } from '../router/navigate.ts'

/** Ends the session, and leads to the first page: the address is of something of the account's. */
export function useSignOut(): () => void {
  return () => {
    void session.end()
    navigate('/', { replace: true })
  }
}
