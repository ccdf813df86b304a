import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../api/callApi.ts'

/**
 * Proves by a mailed token that the reader is whom a registration was asked of; without one there is nothing to prove.
 *
 * The token works again for the same account, so that a page that is loaded twice claims twice.
 *
 * Source: api.md "Agents" (`POST /api/registration-requests/:requestId/claim`).
 */
export function useClaimByToken(path: string, token: string | null) {
  const query = useQuery({
    queryKey: [`${path}/claim`, token],
    queryFn: () => callApi<object>({ method: 'POST', path: `${path}/claim`, body: { token } }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { isPending: token !== null && query.isPending, error: query.error }
}
