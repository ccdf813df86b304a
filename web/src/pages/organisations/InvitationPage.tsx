import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { session, userOf } from '../../api/session.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** With these, the same link cannot succeed later either. */
const USELESS: ReadonlySet<string> = new Set(['INVALID_TOKEN', 'NOT_FOUND'])

/** Target of a mailed invitation, after signing in with the invited address. */
export function InvitationPage({ token }: { token: string }) {
  const change = useApiMutation('POST /api/invitations/accept', {
    invalidates: ['GET /api/organizations', 'GET /api/me'],
  })
  const user = userOf(useSyncExternalStore(session.subscribe, session.read))
  const isUseless = change.error instanceof ApiFailure && USELESS.has(change.error.code)
  return (
    <Stack maw={480}>
      <PageHeader title="Organisation invitation" />
      {change.data ? (
        <Alert
          color="teal"
          icon={<Icon name="check" />}
          title={`You have joined ${change.data.organization.name}`}
        >
          <TextLink to="/organisations">Your organisations</TextLink>
        </Alert>
      ) : (
        <>
          <Text>
            {user?.email ? `You are signed in as ${user.email}. ` : ''}To accept, you must be signed in with
            the e-mail address that the invitation was sent to.
          </Text>
          <FailureNote error={change.error} />
          <Group>
            {!isUseless && (
              <Button loading={change.isPending} onClick={() => change.mutate({ body: { token } })}>
                Accept invitation
              </Button>
            )}
            {/* The path stays the same, so signing in returns here. */}
            <Button variant="default" onClick={() => void session.end()}>
              Sign in with another account
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
