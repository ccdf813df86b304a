import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { ApiFailure } from '../api/apiFailure.ts'
import { Icon } from './Icon.tsx'
import { SupportContact } from './SupportContact.tsx'
import { TextLink } from './TextLink.tsx'

const SUSPENDED: ReadonlySet<string> = new Set(['ACCOUNT_SUSPENDED', 'ORGANIZATION_SUSPENDED'])

/** Shows a failure in the service's own words, with its code and request id for support. */
export function FailureNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error) return null
  const failure = error instanceof ApiFailure ? error : new ApiFailure('UNEXPECTED', String(error))
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={failure.message} role="alert">
      <Stack gap="xs">
        {failure.errors.length > 1 && (
          <List size="sm">
            {failure.errors.map(({ pointer, message }) => (
              <List.Item key={pointer + message}>
                {pointer || 'body'}: {message}
              </List.Item>
            ))}
          </List>
        )}
        {SUSPENDED.has(failure.code) && (
          <Text size="sm">
            <SupportContact />
          </Text>
        )}
        {failure.code === 'PASSKEY_NEEDED' && (
          <Text size="sm">
            <TextLink to="/account">Add a passkey to your account</TextLink>, then try again.
          </Text>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {failure.code}
            {failure.requestId && ` · request ${failure.requestId}`}
          </Text>
          {onRetry && (
            <Button size="xs" variant="light" color="red" onClick={onRetry}>
              Try again
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
