import { Alert, Box, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ApiFailure } from '../../api/apiFailure.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { matchPath } from '../../router/matchPath.ts'
import { Brand } from '../../shell/Brand.tsx'
import { ColorSchemeToggle } from '../../shell/ColorSchemeToggle.tsx'
import { SignInCard } from './SignInCard.tsx'

/** Signs in or creates an account, then shows the requested page; `cause` says why the account was signed out. */
export function SignInPage({ path, cause }: { path: string; cause: ApiFailure | null }) {
  const [isNew, setNew] = useState(false)
  const isApproval = matchPath('/activity/pending/:id', path) !== null
  const isInvitation = matchPath('/invitations/:token', path) !== null
  const isConfirmation = matchPath('/verify-email', path) !== null
  useEffect(() => {
    document.title = 'Sign in · Agent registry'
  }, [])
  return (
    <Box mih="100vh" style={{ display: 'flex', flexDirection: 'column' }}>
      <Group component="header" justify="space-between" px="md" py="sm">
        <Brand />
        <ColorSchemeToggle />
      </Group>
      <Container component="main" size={440} w="100%" px="md" py="xl" my="auto">
        <Stack gap="lg">
          <Stack gap={4}>
            <Title order={1} fz={28}>
              {isNew ? 'Create an account' : 'Sign in'}
            </Title>
            <Text c="dimmed">
              May this agent do this, here, now? Every decision is recorded and provable.
            </Text>
          </Stack>
          {isApproval && (
            <Alert color="orange" icon={<Icon name="clock" />} title="An agent is waiting for its owner">
              Sign in to see its request and to approve or deny it. The request is on hold until then.
            </Alert>
          )}
          {isInvitation && (
            <Alert color="blue" icon={<Icon name="person" />} title="An invitation to an organisation waits">
              Sign in, or create an account, with the e-mail address that it was sent to.
            </Alert>
          )}
          {isConfirmation && <ConfirmationNote />}
          {cause !== null && <SignedOutNote cause={cause} />}
          <SignInCard isNew={isNew} onSwitch={setNew} />
          <Text size="sm" c="dimmed" ta="center">
            Agents need no account: <TextLink to="/agents/register">how to register one</TextLink>
          </Text>
        </Stack>
      </Container>
    </Box>
  )
}

/** Asks whoever followed a confirmation link to sign in; whoever did not open the account must not confirm it. */
function ConfirmationNote() {
  return (
    <Alert color="blue" icon={<Icon name="person" />} title="Confirm your e-mail address">
      Sign in to your account to confirm its address. If somebody else created the account, reset its password
      instead: this confirms the address, and removes what they set up to sign in.
    </Alert>
  )
}

/** Says why the visitor is not signed in any more; after signing in, the address leads back to the same page. */
function SignedOutNote({ cause }: { cause: ApiFailure }) {
  if (cause.status !== 401 && cause.code !== 'SIGNED_OUT') return <FailureNote error={cause} />
  return (
    <Alert color="blue" icon={<Icon name="clock" />} title={cause.message} role="status">
      Sign in to open this page.
    </Alert>
  )
}
