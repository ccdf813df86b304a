import { Box, Skeleton, Stack } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { loadLater } from '../../router/loadLater.ts'
import { FailureNote } from '../FailureNote.tsx'

const AbsentNote = loadLater(async () => (await import('../AbsentNote.tsx')).AbsentNote)
/** What it explains. */
const ABSENT: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR'])

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
  if (query.error instanceof ApiFailure && ABSENT.has(query.error.code)) {
    return (
      <Suspense fallback={null}>
        <AbsentNote failure={query.error} />
      </Suspense>
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
