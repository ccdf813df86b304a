import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from './callApi.ts'
import type { Page } from './types.ts'

/** Empty pages to skip at a time, as with a filter that few events match. */
const EMPTY_PAGES_MAX = 5
/** A list is refetched automatically only up to this many pages. */
const REFETCHED_PAGES_MAX = 3

type Options = {
  /** Interval in milliseconds at which all loaded pages are refetched, as long as they are few. */
  pollMs?: number
}

/** Reads a list page by page; `items` holds everything loaded so far. Source: api.md "Envelope", Lists. */
export function useApiList<Item>(
  path: string,
  filters: Record<string, string> = {},
  { pollMs }: Options = {},
) {
  const query = useInfiniteQuery({
    queryKey: [path, filters],
    queryFn: async ({ pageParam, signal }) => {
      let page = await readPage<Item>(path, { ...filters, cursor: pageParam })
      for (let nth = 0; nth < EMPTY_PAGES_MAX && isEmpty(page) && !signal.aborted; nth += 1) {
        page = await readPage<Item>(path, { ...filters, cursor: page.nextCursor ?? '' })
      }
      return page
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // A refetch loads every page again, and a long list would exhaust the rate limit of the session.
    refetchInterval: ({ state }) => (isLong(state.data) ? false : (pollMs ?? false)),
    refetchOnWindowFocus: ({ state }) => !isLong(state.data),
    refetchOnReconnect: ({ state }) => !isLong(state.data),
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] }
}

function isLong(read: { pages: readonly unknown[] } | undefined): boolean {
  return (read?.pages.length ?? 0) > REFETCHED_PAGES_MAX
}

/** Whether a page has no items although later ones may. */
function isEmpty({ items, nextCursor }: Page<unknown>): boolean {
  return items.length === 0 && nextCursor !== null
}

function readPage<Item>(path: string, parameters: Record<string, string>): Promise<Page<Item>> {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  const search = new URLSearchParams(given).toString()
  return callApi<Page<Item>>({ method: 'GET', path: search === '' ? path : `${path}?${search}` })
}

/** Poll interval of everything that shows pending items, so that the menu and the lists agree. */
export const PENDING_POLL_MS = 10_000
