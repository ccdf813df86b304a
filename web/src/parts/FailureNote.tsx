import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { ApiFailure } from '../api/apiFailure.ts'
import { session } from '../api/session.ts'
import { Icon } from './Icon.tsx'
import { SupportContact } from './SupportContact.tsx'
import { TextLink } from './TextLink.tsx'
import { describeFault } from './words/describeFault.ts'
import { capitalise, wordsOf } from './words/words.ts'

const SUSPENDED: ReadonlySet<string> = new Set(['ACCOUNT_SUSPENDED', 'ORGANIZATION_SUSPENDED'])

/** Shows a failure in the service's own words, with its code and request id for support. */
export function FailureNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (!error) return null
  const failure = error instanceof ApiFailure ? error : new ApiFailure('UNEXPECTED', String(error))
  const [only, ...others] = failure.errors
  const title = only !== undefined && others.length === 0 ? describe(only) : failure.message
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={title} role="alert">
      <Stack gap="xs">
        {others.length > 0 && (
          <List size="sm">
            {failure.errors.map((fault) => (
              <List.Item key={fault.pointer + fault.message}>{describe(fault)}</List.Item>
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
        {failure.code === 'SIGN_IN_NEEDED' && (
          <Group>
            <Button size="xs" variant="default" onClick={session.signInAgain}>
              Sign in again
            </Button>
          </Group>
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

/** Says what is wrong in the words of the form: `/pdlss/limits/currency` is the field “Currency”. */
function describe({ pointer, message }: { pointer: string; message: string }): string {
  const field = pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part))
  return field === undefined ? capitalise(message) : describeFault(wordsOf(field), message)
}
