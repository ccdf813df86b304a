import { Alert, Button, Stack, Text } from '@mantine/core'
import type { Organization } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** Where a mailed invitation leads, after signing in with the address it was mailed to. */
export function InvitationPage({ token }: { token: string }) {
  const change = useApiMutation<{ organization: Organization }>({
    invalidates: ['/api/organizations', '/api/me'],
  })
  return (
    <Stack maw={480}>
      <PageHeader title="You are invited to an organisation" />
      {change.data ? (
        <Alert
          color="teal"
          icon={<Icon name="check" />}
          title={`You are in ${change.data.organization.name}`}
        >
          <TextLink to="/organisations">Your organisations</TextLink>
        </Alert>
      ) : (
        <>
          <Text>
            The invitation is for the address it was mailed to. Accept it with the account of that address.
          </Text>
          <FailureNote error={change.error} />
          <Button
            loading={change.isPending}
            onClick={() =>
              change.mutate({ method: 'POST', path: '/api/invitations/accept', body: { token } })
            }
          >
            Accept the invitation
          </Button>
        </>
      )}
    </Stack>
  )
}
