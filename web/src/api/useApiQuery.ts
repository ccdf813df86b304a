import { useQuery } from '@tanstack/react-query'
import { callApi } from './callApi.ts'

type Options = { alsoAccept?: number; pollMs?: number; enabled?: boolean }

/** Reads one resource; the cache key is its path, followed by its query string. */
export function useApiQuery<Answer>(path: string, { alsoAccept, pollMs, enabled = true }: Options = {}) {
  return useQuery({
    queryKey: path.split('?'),
    queryFn: () => callApi<Answer>({ method: 'GET', path, alsoAccept }),
    refetchInterval: pollMs,
    enabled,
  })
}
