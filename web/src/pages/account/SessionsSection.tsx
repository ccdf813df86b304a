import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { OpenSession } from '@svc/core/contract/accounts.ts'
import { useState } from 'react'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { useSignOut } from '../../shell/useSignOut.ts'

/** Lists the sessions of the account; ends one of them or all. */
export function SessionsSection() {
  const [isAsking, setAsking] = useState(false)
  const query = useApiList('GET /api/auth/sessions')
  const signOut = useSignOut()
  const everywhere = useApiMutation('POST /api/auth/logout-all', { onDone: signOut })
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. Sign out any session you do not recognise, then change your password."
      right={
        <Button
          size="xs"
          variant="light"
          color="red"
          onClick={() => {
            everywhere.reset()
            setAsking(true)
          }}
        >
          Sign out everywhere
        </Button>
      }
    >
      <Rows query={query} empty={<Text c="dimmed">None.</Text>}>
        {(session) => <SessionRow key={session.id} session={session} />}
      </Rows>
      <ConfirmModal
        opened={isAsking}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        change={everywhere}
        onClose={() => setAsking(false)}
        onConfirm={() => everywhere.mutate()}
      >
        All sessions of your account end immediately, including this one. API keys and agents are not
        affected.
      </ConfirmModal>
    </Section>
  )
}

function SessionRow({ session }: { session: OpenSession }) {
  const { id, isCurrent, amr, browser, network, signedInAt, lastUsedAt } = session
  const change = useApiMutation('DELETE /api/auth/sessions/:id', {
    invalidates: ['GET /api/auth/sessions'],
    says: 'Signed out there',
  })
  const name = browser ?? 'Unknown client'
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ flex: '1 1 220px', minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {isCurrent && (
              <Badge variant="light" color="teal" tt="none" radius="sm">
                This session
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {network !== null && `From ${network} · `}
            signed in with {describeSignIn(amr)} <When time={signedInAt} /> · last used{' '}
            <When time={lastUsedAt} />
          </Text>
        </Stack>
        {!isCurrent && (
          <Button
            variant="light"
            color="red"
            size="xs"
            loading={change.isPending}
            onClick={() => change.mutate({ params: { id } })}
            aria-label={`Sign out ${name}`}
          >
            Sign out
          </Button>
        )}
      </Group>
      <FailureNote error={change.error} />
    </Paper>
  )
}

/** Names the sign-in method from its authentication method references. Source: RFC 8176. */
function describeSignIn(amr: readonly string[]): string {
  if (amr.includes('user')) return 'passkey'
  if (amr.includes('pop')) return 'wallet'
  const first = amr.includes('fed') ? 'identity provider' : 'password'
  return amr.includes('otp') ? `${first} and code` : first
}
