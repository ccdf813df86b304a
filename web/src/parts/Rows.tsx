import { Button, Center, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNote } from './FailureNote.tsx'
import { Loaded } from './Loaded.tsx'

type ItemsQuery<Item> = {
  items: Item[]
  data: unknown
  error: unknown
  refetch: () => unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

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
            {isFetchNextPageError && (
              <FailureNote error={query.error} onRetry={() => query.fetchNextPage()} />
            )}
            {query.hasNextPage && (
              <Center mt="xs">
                <Button
                  variant="default"
                  loading={query.isFetchingNextPage}
                  onClick={() => query.fetchNextPage()}
                >
                  {query.items.length === 0 ? 'No matches yet; keep searching' : 'Load more'}
                </Button>
              </Center>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}
