import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from './callApi.ts'
import type { Page } from './types.ts'

/** Parts without an item that are passed over at once, as those are of a filter that few events pass. */
const EMPTY_PARTS_MAX = 5
/** Parts of a list that is read again by the clock, or when its tab is looked at; a longer one waits for its reader. */
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
    queryFn: async ({ pageParam, signal }) => {
      let page = await readPart<Item>(path, { ...filters, cursor: pageParam })
      for (let nth = 0; nth < EMPTY_PARTS_MAX && isEmpty(page) && !signal.aborted; nth += 1) {
        page = await readPart<Item>(path, { ...filters, cursor: page.nextCursor ?? '' })
      }
      return page
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // All parts are read again each time, and a long list by itself would use up the budget of the session.
    refetchInterval: ({ state }) => (isLong(state.data) ? false : (everyMs ?? false)),
    refetchOnWindowFocus: ({ state }) => !isLong(state.data),
    refetchOnReconnect: ({ state }) => !isLong(state.data),
  })
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] }
}

function isLong(read: { pages: readonly unknown[] } | undefined): boolean {
  return (read?.pages.length ?? 0) > RENEWED_PARTS_MAX
}

/** Whether there is no item in it, and there may be in the parts behind it. */
function isEmpty({ items, nextCursor }: Page<unknown>): boolean {
  return items.length === 0 && nextCursor !== null
}

function readPart<Item>(path: string, parameters: Record<string, string>): Promise<Page<Item>> {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  const search = new URLSearchParams(given).toString()
  return callApi<Page<Item>>({ method: 'GET', path: search === '' ? path : `${path}?${search}` })
}

/** How often it is asked what waits: by the menu, and by the lists behind it, which must not tell otherwise. */
export const waitingEveryMs = 10_000
