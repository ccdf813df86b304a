import { List, Text } from '@mantine/core'
import type { ApprovalDimension } from '@svc/core/access/findings.ts'
import type { Approval } from '../../api/types.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { When } from '../../parts/When.tsx'
import { wordsOf } from '../../parts/words.ts'
import { approvalSummary } from './approvalSummary.ts'

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

/** Why an owner is asked, by dimension. Source: `Spec: POST /api/agents/verify-access`, step-up dimensions. */
const approvalReasons: Readonly<Record<ApprovalDimension, string>> = {
  'pdlss.purpose.approval_required': 'You want to be asked about this action.',
  'pdlss.duration.approval_required': 'It comes at a day or hour that you did not allow without you.',
  'pdlss.scope.approval_required': 'You want to be asked about this resource, jurisdiction or counterparty.',
  'pdlss.selfInstantiation.approval_required': 'The agent wants to create a sub-agent.',
  'commerce.intent.approval_required': 'The amount is more than the agent may spend by itself.',
}
