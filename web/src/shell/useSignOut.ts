import { useQueryClient } from '@tanstack/react-query'
import { session } from '../api/session.ts'
import { navigate } from '../router/navigate.ts'

/** Ends the session, and forgets all that was read in it. */
export function useSignOut(): () => void {
  const queries = useQueryClient()
  return () => {
    void session.end()
    queries.clear()
    navigate('/', { replace: true })
  }
}
