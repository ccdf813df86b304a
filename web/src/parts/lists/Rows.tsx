import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Loaded } from './Loaded.tsx'
import { LoadMore, type PagedQuery } from './LoadMore.tsx'

type ItemsQuery<Item> = PagedQuery & { items: Item[]; data: unknown; refetch: () => unknown }

type Props<Item> = { query: ItemsQuery<Item>; empty: ReactNode; children: (item: Item) => ReactNode }

/** A paged list: its rows, a note if it is empty, and a button to load more. */
export function Rows<Item>({ query, empty, children }: Props<Item>) {
  const { isFetchNextPageError } = query
  return (
    // A failure to load the next page is shown at the end of the list, any other failure above it.
    <Loaded query={isFetchNextPageError ? { ...query, error: null } : query}>
      {() =>
        query.items.length === 0 && !query.hasNextPage ? (
          empty
        ) : (
          <Stack gap="xs">
            {query.items.map(children)}
            <LoadMore query={query} />
          </Stack>
        )
      }
    </Loaded>
  )
}
