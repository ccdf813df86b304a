import { Alert, Box, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { FailureNote } from '../FailureNote.tsx'
import { Icon } from '../Icon.tsx'
import { TextLink } from '../TextLink.tsx'

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
  if (query.error instanceof ApiFailure && Object.hasOwn(ABSENT, query.error.code)) {
    return <Absent failure={query.error} />
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

/** What it means for a person that something cannot be shown, by code. */
const ABSENT: Readonly<Record<string, { title: string; meaning: string }>> = {
  NOT_FOUND: {
    title: 'There is nothing here that you may see',
    meaning: 'It does not exist, it has been removed, or it belongs to another account or organisation.',
  },
  FORBIDDEN: {
    title: 'You may not see this',
    meaning: 'It belongs to another account or organisation. Ask its owner, or sign in with another account.',
  },
  VALIDATION_ERROR: {
    title: 'This address is not complete',
    meaning: 'Part of it is missing or misspelt. Check the link that you followed.',
  },
}

function Absent({ failure: { code, message, requestId } }: { failure: ApiFailure }) {
  return (
    <Alert color="orange" icon={<Icon name="search" />} title={ABSENT[code]?.title} role="alert">
      <Stack gap="xs">
        <Text size="sm">
          {ABSENT[code]?.meaning} <TextLink to="/">Go to the overview</TextLink>
        </Text>
        <details>
          <Text component="summary" size="xs" c="dimmed">
            Details for support
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {[code, message, requestId && `request ${requestId}`].filter(Boolean).join(' · ')}
          </Text>
        </details>
      </Stack>
    </Alert>
  )
}
