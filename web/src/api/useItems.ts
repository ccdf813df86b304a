import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from './callApi.ts'
import type { Page } from './types.ts'

type Options = {
  /** Reads all parts that were read so far again after so many milliseconds. */
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
    refetchInterval: everyMs,
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] }
}
