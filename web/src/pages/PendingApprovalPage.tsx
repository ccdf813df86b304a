import { Alert, List, Stack } from '@mantine/core'
import { CopyText } from '../parts/CopyText.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Section } from '../parts/Section.tsx'
import { TextLink } from '../parts/TextLink.tsx'

/** Where the link of a step-up approval leads: says what is asked, and that this version cannot answer it. */
export function PendingApprovalPage({ id }: { id: string }) {
  return (
    <>
      <PageHeader
        title="An agent waits for its owner"
        description="One of your agents asked for something that you wanted to be asked about first."
      />
      <Stack gap="lg">
        <Alert icon={<Icon name="clock" />} color="orange" title="Approving here is not possible yet">
          Owners will approve with a passkey on this page; that part of the dashboard is not there yet. Until
          then a held request stays held and its approval expires by itself. Nothing happens without you.
        </Alert>
        <Section title="The request">
          <Facts facts={[['Approval', <CopyText key="id" text={id} name="approval identifier" />]]} />
        </Section>
        <Section title="What a step-up approval is">
          <List spacing="xs" maw={720}>
            <List.Item>
              The request was within what the agent may do at all, but on one point its owner decides: an
              amount, an hour, a resource, a sub-agent.
            </List.Item>
            <List.Item>
              The counterparty holds the request and asks again; an approval is good for 30 minutes, unless
              the operator has set another time, for exactly this request, and once.
            </List.Item>
            <List.Item>
              An approval never covers what the boundary forbids. You find the request in the{' '}
              <TextLink to="/activity?eventType=verification.step_up_required">activity</TextLink>, with its
              audit proof.
            </List.Item>
          </List>
        </Section>
      </Stack>
    </>
  )
}
