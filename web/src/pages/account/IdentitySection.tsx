import { Button, Group, Text } from '@mantine/core'
import type { Me } from '@svc/core/contract/accounts.ts'
import type { Kyd } from '@svc/core/contract/kyd.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

const POLL_MS = 10_000

/** The identity of the account; an unconfirmed address can be sent another confirmation link. */
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
          ['Account type', user.accountType === 'business' ? 'Business' : 'Individual'],
          ['Developer identifier', <CopyText key="id" text={user.developerId} name="developer identifier" />],
          ['Verified identity', <Verification key="kyd" kyd={kyd} />],
        ]}
      />
      {user.email !== null && !user.isEmailVerified && <Confirmation email={user.email} />}
    </Section>
  )
}

/** Status of the identity verification, with a link to it. */
function Verification({ kyd }: { kyd: Kyd }) {
  // The decision of a reviewer shows without a reload.
  useApiQuery('GET /api/me', { pollMs: POLL_MS, enabled: kyd.status === 'pending' })
  const labels = { none: 'Verify', pending: 'View', approved: 'View', rejected: 'Try again' }
  return (
    <Group gap="xs">
      <StatusBadge value={kyd.status === 'none' ? 'not verified' : kyd.status} />
      <TextLink to="/kyd">{labels[kyd.status]}</TextLink>
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
  const change = useApiMutation('POST /api/auth/verify-email/resend', { invalidates: ['GET /api/me'] })
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
          Resend link
        </Button>
        <Text size="sm" c="dimmed" role="status" style={{ flex: '1 1 240px' }}>
          {change.isSuccess
            ? `We have sent a new link to ${email}. Earlier links no longer work.`
            : 'Confirm your address with the link we sent you. Until then, agents and organisations cannot be transferred to it.'}
        </Text>
      </Group>
      <FailureNote error={change.error} />
    </>
  )
}
