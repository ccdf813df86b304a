import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from './callApi.ts'
import type { Page } from './types.ts'

/** Parts of a list that is read again by the clock; a longer one waits for its reader. */
const RENEWED_PARTS_MAX = 3

type Options = {
  /** Reads all parts that were read so far again after so many milliseconds, as long as they are few. */
  everyMs?: number
}

/** Reads a list part by part; `items` are all that were read so far. Source: api.md "Envelope", Lists. */
export function useItems<Item>(
  path: string,
  filters: Record<string, string> = {},
  { everyMs }: Options = {},
) {
  const query = useInfiniteQuery({
    queryKey: [path, filters],
    queryFn: ({ pageParam }) => {
      const given = Object.entries({ ...filters, cursor: pageParam }).filter(([, value]) => value !== '')
      const search = new URLSearchParams(given).toString()
      return callApi<Page<Item>>({ method: 'GET', path: search === '' ? path : `${path}?${search}` })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // All parts are read again each time, and a long list by itself would use up the budget of the session.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > RENEWED_PARTS_MAX ? false : (everyMs ?? false),
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] }
}
