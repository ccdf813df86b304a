import { List, Text } from '@mantine/core'
import type { Approval } from '../api/types.ts'
import { approvalReasons } from '../parts/approvalReasons.ts'
import { approvalSummary } from '../parts/approvalSummary.ts'
import { CopyText } from '../parts/CopyText.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Section } from '../parts/Section.tsx'
import { TextLink } from '../parts/TextLink.tsx'
import { When } from '../parts/When.tsx'
import { wordsOf } from '../parts/wordsOf.ts'

/** What is asked for, by which agent, at which counterparty, and why it is the owner who decides. */
export function ApprovalRequestSection({ approval }: { approval: Approval }) {
  const { request, dimensions, agentId, createdAt, approvalId } = approval
  const { agent, counterparty, purpose, amount } = approvalSummary(approval)
  const { counterpartyType, endpointId } = request
  return (
    <Section title="What is asked">
      <Facts
        facts={[
          [
            'Amount',
            amount && (
              <Text span fw={650} fz="lg">
                {amount}
              </Text>
            ),
          ],
          ['Purpose', purpose],
          ['Counterparty', counterparty],
          ['Kind of counterparty', counterpartyType && wordsOf(counterpartyType)],
          ['Resource', request.resource],
          ['Jurisdiction', request.jurisdiction],
          ['Sub-agent', request.subAgent && JSON.stringify(request.subAgent)],
          ['Why you are asked', <Reasons key="reasons" dimensions={dimensions} />],
          [
            'Agent',
            <TextLink key="agent" to={`/agents/${agentId}`}>
              {agent}
            </TextLink>,
          ],
          ['Asked', <When key="asked" time={createdAt} />],
          [
            'Endpoint identifier',
            endpointId !== counterparty && endpointId && (
              <CopyText text={endpointId} name="endpoint identifier" />
            ),
          ],
          ['Approval', <CopyText key="id" text={approvalId} name="approval identifier" />],
        ].flatMap(([name, value]) => (value === false ? [] : [[name as string, value] as const]))}
      />
    </Section>
  )
}

function Reasons({ dimensions }: { dimensions: readonly string[] }) {
  const words: Readonly<Record<string, string>> = approvalReasons
  const [first, ...others] = dimensions.map((dimension) => words[dimension] ?? dimension)
  if (others.length === 0) return first
  return (
    <List spacing={2}>
      {[first, ...others].map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
  )
}
