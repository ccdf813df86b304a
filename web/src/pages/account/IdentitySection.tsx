import { Button, Group, Text } from '@mantine/core'
import type { Kyd, Me } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** Who the account is; an address that nobody has confirmed yet can be mailed another link. */
export function IdentitySection({ me: { user, kyd } }: { me: Me }) {
  return (
    <Section title="Identity">
      <Facts
        facts={[
          ['Name', user.fullName],
          [
            'E-mail',
            user.email && <Address key="email" email={user.email} isVerified={user.isEmailVerified} />,
          ],
          ['Kind', user.accountType === 'business' ? 'Business' : 'Individual'],
          ['Developer identifier', <CopyText key="id" text={user.developerId} name="developer identifier" />],
          ['Verified identity', <Verification key="kyd" kyd={kyd} />],
        ]}
      />
      {user.email !== null && !user.isEmailVerified && <Confirmation email={user.email} />}
    </Section>
  )
}

/** How far the verification is, and the way to it. */
function Verification({ kyd }: { kyd: Kyd }) {
  const words = { none: 'Verify it', pending: 'Look at it', approved: 'Look at it', rejected: 'Try again' }
  return (
    <Group gap="xs">
      <StatusBadge value={kyd.status === 'none' ? 'not verified' : kyd.status} />
      <TextLink to="/kyd">{words[kyd.status]}</TextLink>
    </Group>
  )
}

function Address({ email, isVerified }: { email: string; isVerified: boolean }) {
  return (
    <Group gap="xs">
      {email}
      <StatusBadge value={isVerified ? 'confirmed' : 'unconfirmed'} />
    </Group>
  )
}

function Confirmation({ email }: { email: string }) {
  const change = useApiMutation({ invalidates: ['/api/me'] })
  return (
    <>
      <Group gap="sm">
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ method: 'POST', path: '/api/auth/verify-email/resend', body: {} })}
        >
          Mail the link again
        </Button>
        <Text size="sm" c="dimmed" role="status" style={{ flex: '1 1 240px' }}>
          {change.isSuccess
            ? `A link is on its way to ${email}; those sent before it are good for nothing now.`
            : 'Confirm your address by the link in the mail we sent: only then can agents and organisations be handed to it.'}
        </Text>
      </Group>
      <FailureNote error={change.error} />
    </>
  )
}
