import { Alert, Button, Stack, Text } from '@mantine/core'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** Target of a mailed invitation, after signing in with the invited address. */
export function InvitationPage({ token }: { token: string }) {
  const change = useApiMutation('POST /api/invitations/accept', {
    invalidates: ['GET /api/organizations', 'GET /api/me'],
  })
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
            To accept, you must be signed in with the e-mail address that the invitation was sent to.
          </Text>
          <FailureNote error={change.error} />
          <Button loading={change.isPending} onClick={() => change.mutate({ body: { token } })}>
            Accept invitation
          </Button>
        </>
      )}
    </Stack>
  )
}
