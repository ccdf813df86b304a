import { useQuery } from '@tanstack/react-query'
import { callApi } from './callApi.ts'

type Options = { alsoAccept?: number; everyMs?: number; enabled?: boolean }

/** Reads one resource; the path, and apart from it the query, is its name in the cache. */
export function useAnswer<Answer>(path: string, { alsoAccept, everyMs, enabled = true }: Options = {}) {
  return useQuery({
    queryKey: path.split('?'),
    queryFn: () => callApi<Answer>({ method: 'GET', path, alsoAccept }),
    refetchInterval: everyMs,
    enabled,
  })
}
