import { Button, Center } from '@mantine/core'
import { FailureNote } from '../FailureNote.tsx'

/** A list that is read page by page. */
export type PagedQuery = {
  items: readonly unknown[]
  error: unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** The end of a paged list: a button that loads the next page, or why it could not be loaded. */
export function LoadMore({ query }: { query: PagedQuery }) {
  return (
    <>
      {query.isFetchNextPageError && (
        <FailureNote error={query.error} onRetry={() => query.fetchNextPage()} />
      )}
      {query.hasNextPage && (
        <Center mt="xs">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {query.items.length === 0 ? 'No matches yet; keep searching' : 'Load more'}
          </Button>
        </Center>
      )}
    </>
  )
}
