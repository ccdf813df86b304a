import { Alert, Stack, Text } from '@mantine/core'
import type { ApiFailure } from '../api/apiFailure.ts'
import { Icon } from './Icon.tsx'
import { TextLink } from './TextLink.tsx'

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

/** Says that something cannot be shown, and where to go; what support asks for is folded. */
export function AbsentNote({ failure: { code, message, requestId } }: { failure: ApiFailure }) {
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
