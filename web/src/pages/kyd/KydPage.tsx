import { Alert, List, Stack, Text } from '@mantine/core'
import type { Kyd } from '@svc/core/contract/kyd.ts'
import { useEffect, useRef } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { KydForm } from './KydForm.tsx'

const POLL_MS = 10_000

/** Verification of the owner's identity, and its status. */
export function KydPage() {
  const query = useApiQuery('GET /api/kyd')
  const status = query.data?.kyd.status
  useApiQuery('GET /api/kyd', { pollMs: POLL_MS, enabled: status === 'pending' })
  useOnDecision(status)
  return (
    <>
      <PageHeader
        title={status === 'approved' ? 'Your identity' : 'Verify your identity'}
        description={
          status === 'approved'
            ? undefined
            : 'Know your developer: a reviewer compares your passport with a picture of you. You only do this once.'
        }
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

/** Reads again, as soon as a decision is seen, what else shows it. */
function useOnDecision(status: Kyd['status'] | undefined): void {
  const invalidate = useInvalidate()
  const seen = useRef(status)
  useEffect(() => {
    if (seen.current === 'pending' && status !== 'pending') {
      invalidate(['GET /api/me', 'GET /api/agents', 'GET /api/alerts'])
    }
    seen.current = status
  }, [status, invalidate])
}

function StateNote({ kyd }: { kyd: Kyd }) {
  switch (kyd.status) {
    case 'none':
      return null
    case 'pending':
      return (
        <Alert color="orange" icon={<Icon name="clock" />} title="Your documents are being reviewed">
          Submitted {kyd.submittedAt && <When time={kyd.submittedAt} />}. You will be notified here and by
          e-mail as soon as there is a decision.
        </Alert>
      )
    case 'approved':
      return (
        <Alert color="teal" icon={<Icon name="check" />} title="Your identity is verified">
          <Stack gap="sm" align="flex-start">
            This raises your agents’ trust scores, and you can now register agents with an API key.
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
            Reason given by the reviewer: {kyd.reason}
          </Text>
          <Text size="sm" mt="xs">
            You can correct this and submit your documents again below.
          </Text>
        </Alert>
      )
  }
}

function Why() {
  return (
    <Section title="What we ask for, and why">
      <List size="sm" spacing={4}>
        <List.Item>
          A picture of your passport’s photo page and a current picture of you, so that a person can confirm
          that the passport is yours.
        </List.Item>
        <List.Item>
          The two lines at the bottom of that page, typed: their check digits reveal typing errors, and the
          reviewer compares them with the picture.
        </List.Item>
        <List.Item>
          Pictures are encrypted, shown only to reviewers, and deleted according to the operator’s policy, by
          default with the decision. Location data is removed before they are stored.
        </List.Item>
        <List.Item>
          Verification raises the trust score of your agents. It does not replace your approvals: you will
          still be asked.
        </List.Item>
      </List>
    </Section>
  )
}
