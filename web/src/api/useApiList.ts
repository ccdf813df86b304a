import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { use } from 'react'
import { type AnyCall, type Call, cacheKeyOf, type LastOptional, type ReadKey } from './call.ts'
import { sendCall } from './callApi.ts'
import { IsShown } from './IsShown.ts'
import { pollOrRecover } from './isUnreachable.ts'

/** Empty pages to skip at a time, as with a filter that few events match. */
const EMPTY_PAGES_MAX = 5
/** A list is refetched automatically only up to this many pages. */
const REFETCHED_PAGES_MAX = 3

/** The operations that list something page by page. */
type ListKey = {
  [Key in ReadKey]: AnswerOf<Key> extends Page<unknown> ? Key : never
}[ReadKey]

type Page<Item> = { items: Item[]; nextCursor: string | null; hasMore: boolean }

type Options<Key extends ListKey> = Call<Key> & {
  /** Interval in milliseconds at which all loaded pages are refetched, as long as they are few. */
  pollMs?: number
}

/** Reads a list page by page; `items` holds everything loaded so far. */
export function useApiList<Key extends ListKey>(key: Key, ...[options]: LastOptional<Options<Key>>) {
  const pollMs = options?.pollMs
  const query = useInfiniteQuery({
    // Distinct from the key of a single page of the same list.
    queryKey: [...cacheKeyOf(key, options ?? {}), 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      let page = await readPage(key, options, pageParam)
      for (let nth = 0; nth < EMPTY_PAGES_MAX && isEmpty(page) && !signal.aborted; nth += 1) {
        page = await readPage(key, options, page.nextCursor ?? '')
      }
      return page
    },
    subscribed: use(IsShown),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    // A refetch loads every page again, and a long list would exhaust the rate limit of the session.
    refetchInterval: ({ state }) =>
      pollOrRecover(state.error, isLong(state.data) ? false : (pollMs ?? false)),
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

type ItemOf<Key extends ListKey> = AnswerOf<Key>['items'][number]

function readPage<Key extends ListKey>(
  key: Key,
  call: AnyCall | undefined,
  cursor: string,
): Promise<Page<ItemOf<Key>>> {
  return sendCall(key, { ...call, query: { ...call?.query, cursor } })
}

/** Poll interval of everything that shows pending items, so that the menu and the lists agree. */
export const PENDING_POLL_MS = 10_000
