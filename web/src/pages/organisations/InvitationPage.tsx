import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { OrganizationInvitation } from '@svc/core/contract/organizations.ts'
import { useSyncExternalStore } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { membershipResources } from '../../api/membershipResources.ts'
import { session, userOf } from '../../api/session.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Facts } from '../../parts/Facts.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { roles } from './members.ts'

/** With these, the same link cannot succeed later either. */
const USELESS: ReadonlySet<string> = new Set(['INVALID_TOKEN', 'NOT_FOUND'])

/** Target of a mailed invitation, after signing in: says what it offers before it is accepted. */
export function InvitationPage({ token }: { token: string }) {
  const accept = useApiMutation('POST /api/invitations/accept', { invalidates: membershipResources })
  const query = useApiQuery('GET /api/invitations/:token', { params: { token }, enabled: !accept.isSuccess })
  const failure = accept.error ?? query.error
  return (
    <Stack maw={640}>
      <PageHeader title="Organisation invitation" />
      {accept.data ? (
        <Joined {...accept.data.organization} />
      ) : failure instanceof ApiFailure && USELESS.has(failure.code) ? (
        <EmptyNote
          icon="organisations"
          title="This invitation is no longer valid"
          description="It has been accepted, withdrawn or replaced by a newer one, or has expired. Whoever invited you can send another."
        >
          <LinkButton to="/organisations" variant="light">
            Your organisations
          </LinkButton>
        </EmptyNote>
      ) : (
        <Loaded query={query}>
          {({ invitation }) => (
            <>
              <Offer invitation={invitation} />
              <FailureNote error={accept.error} />
              <Group>
                {invitation.isForCaller && (
                  <Button loading={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
                    Accept invitation
                  </Button>
                )}
                {/* The path stays the same, so signing in returns here. */}
                <Button
                  variant={invitation.isForCaller ? 'default' : 'filled'}
                  onClick={() => void session.end()}
                >
                  Sign in with another account
                </Button>
              </Group>
            </>
          )}
        </Loaded>
      )}
    </Stack>
  )
}

function Joined({ organizationId, name }: { organizationId: string; name: string }) {
  return (
    <Alert role="status" color="teal" icon={<Icon name="check" />} title={`You have joined ${name}`}>
      See its <TextLink to={`/organisations/${organizationId}`}>members</TextLink> and{' '}
      <TextLink to="/endpoints">endpoints</TextLink>.
    </Alert>
  )
}

function Offer({ invitation }: { invitation: OrganizationInvitation }) {
  const { organizationName, role, invitedBy, isForCaller, expiresAt } = invitation
  const user = userOf(useSyncExternalStore(session.subscribe, session.read))
  const account = user?.email ? ` as ${user.email}` : ''
  return (
    <>
      <Section title={organizationName} description="Its members share its endpoints and API keys.">
        <Facts
          facts={[
            ['Invited by', invitedBy],
            ['Your role', roles.find(({ value }) => value === role)?.label],
            ['Valid until', new Date(expiresAt).toLocaleString(undefined, UNTIL)],
          ]}
        />
      </Section>
      <Text>
        You are signed in{account}
        {isForCaller
          ? ', to which the invitation was sent.'
          : ', but the invitation was sent to another address. Only an account with that address can accept it.'}
      </Text>
    </>
  )
}

const UNTIL = { dateStyle: 'medium', timeStyle: 'short' } as const
