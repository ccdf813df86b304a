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

/** A list that is read part by part: its rows, what stands there when it is empty, and the way to the rest. */
export function Rows<Item>({ query, empty, children }: Props<Item>) {
  const { isFetchNextPageError } = query
  return (
    // What is wrong with the next part stands where that would be; what is wrong with the rest, above.
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
                  {query.items.length === 0 ? 'None so far; look further' : 'Load more'}
                </Button>
              </Center>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}
