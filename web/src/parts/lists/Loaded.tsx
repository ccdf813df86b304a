import { Box, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNote } from '../FailureNote.tsx'

type Query<Answer> = { data: Answer | undefined; error: unknown; refetch: () => unknown }

/** Shows a skeleton until the response has loaded, then its content; a failed refetch is reported above it. */
export function Loaded<Answer>({
  query,
  children,
}: {
  query: Query<Answer>
  children: (answer: Answer) => ReactNode
}) {
  if (query.data !== undefined) {
    return (
      <>
        {Boolean(query.error) && (
          <Box mb="md">
            <FailureNote error={query.error} onRetry={() => query.refetch()} />
          </Box>
        )}
        {children(query.data)}
      </>
    )
  }
  if (query.error) return <FailureNote error={query.error} onRetry={() => query.refetch()} />
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      <Skeleton height={64} />
      <Skeleton height={64} />
      <Skeleton height={64} />
    </Stack>
  )
}
