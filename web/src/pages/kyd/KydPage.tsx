import { Alert, List, Stack, Text } from '@mantine/core'
import type { Kyd } from '../../api/types.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { KydForm } from './KydForm.tsx'

const POLL_MS = 10_000
const PATH = '/api/kyd'

/** Where an owner has the identity verified that its agents stand on, and sees how far that is. */
export function KydPage() {
  const query = useApiQuery<{ kyd: Kyd }>(PATH)
  useApiQuery(PATH, { pollMs: POLL_MS, enabled: query.data?.kyd.status === 'pending' })
  return (
    <>
      <PageHeader
        title="Verify your identity"
        description="Know your developer: a reviewer compares your passport with a picture of you, once."
        back={{ to: '/account', name: 'Account' }}
      />
      <Loaded query={query}>
        {({ kyd }) => (
          <Stack gap="lg">
            <div role="status">
              <StateNote kyd={kyd} />
            </div>
            {(kyd.status === 'none' || kyd.status === 'rejected') && (
              <>
                <Why />
                <KydForm />
              </>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function StateNote({ kyd }: { kyd: Kyd }) {
  switch (kyd.status) {
    case 'none':
      return null
    case 'pending':
      return (
        <Alert color="orange" icon={<Icon name="clock" />} title="Your documents wait for a reviewer">
          Handed in {kyd.submittedAt && <When time={kyd.submittedAt} />}. There is nothing for you to do: you
          get a mail, and an alert here, as soon as it is decided.
        </Alert>
      )
    case 'approved':
      return (
        <Alert color="teal" icon={<Icon name="check" />} title="Your identity is verified">
          <Stack gap="sm" align="flex-start">
            Your agents’ trust scores count it from now on, and you may register agents by API key.
            <LinkButton to="/agents" variant="light" size="xs">
              Your agents
            </LinkButton>
          </Stack>
        </Alert>
      )
    case 'rejected':
      return (
        <Alert color="red" icon={<Icon name="warning" />} title="Your identity could not be verified">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            The reviewer says: {kyd.reason}
          </Text>
          <Text size="sm" mt="xs">
            You can put that right and hand in your documents again below.
          </Text>
        </Alert>
      )
  }
}

function Why() {
  return (
    <Section title="What is asked for, and why">
      <List size="sm" spacing={4}>
        <List.Item>
          A picture of your passport’s page with your face, and one of you now, so that a person can see that
          it is yours.
        </List.Item>
        <List.Item>
          The two lines at the foot of that page, typed: their check digits show a slip, and the reviewer
          compares them with the picture.
        </List.Item>
        <List.Item>
          Pictures are encrypted, shown to reviewers alone, and deleted by the operator’s policy, which is
          with the decision unless it says otherwise. Where they were taken is removed before they are stored.
        </List.Item>
        <List.Item>
          It raises the trust score of your agents. It does not replace your approvals: you are still asked.
        </List.Item>
      </List>
    </Section>
  )
}
