import { List, Text } from '@mantine/core'
import type { ApprovalDimension } from '@svc/core/access/findings.ts'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { When } from '../../parts/When.tsx'
import { wordsOf } from '../../parts/words.ts'
import { summariseApproval } from './summariseApproval.ts'

/** The request: agent, counterparty, details, and why it needs the owner's approval. */
export function ApprovalRequestSection({ approval }: { approval: Approval }) {
  const { request, dimensions, agentId, createdAt, approvalId } = approval
  const { agent, counterparty, purpose, amount } = summariseApproval(approval)
  const { counterpartyType, endpointId } = request
  return (
    <Section title="Request">
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
          ['Counterparty type', counterpartyType && wordsOf(counterpartyType)],
          ['Resource', request.resource],
          ['Resource type', request.resourceType],
          ['Jurisdiction', request.jurisdiction],
          ['Session', request.sessionDuration && `${request.sessionDuration.toLocaleString('en')} seconds`],
          ['Certifications', request.certifications?.join(', ')],
          ['Sub-agent', request.subAgent && JSON.stringify(request.subAgent)],
          ['Why you are asked', <Reasons key="reasons" dimensions={dimensions} />],
          [
            'Agent',
            <TextLink key="agent" to={`/agents/${agentId}`}>
              {agent}
            </TextLink>,
          ],
          ['Requested', <When key="requested" time={createdAt} />],
          [
            'Endpoint identifier',
            endpointId !== counterparty && endpointId && (
              <CopyText text={endpointId} name="endpoint identifier" />
            ),
          ],
          ['Approval identifier', <CopyText key="id" text={approvalId} name="approval identifier" />],
        ].flatMap(([name, value]) => (value === false ? [] : [[name as string, value] as const]))}
      />
    </Section>
  )
}

function Reasons({ dimensions }: { dimensions: readonly string[] }) {
  const words: Readonly<Record<string, string>> = APPROVAL_REASONS
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

/** Reasons to ask the owner, by dimension. Source: `Spec: POST /api/agents/verify-access`, step-up dimensions. */
const APPROVAL_REASONS: Readonly<Record<ApprovalDimension, string>> = {
  'pdlss.purpose.approval_required': 'You asked to approve this kind of action.',
  'pdlss.duration.approval_required':
    'The request is outside the days or hours that you allow without approval.',
  'pdlss.scope.approval_required': 'You asked to approve this resource, jurisdiction or counterparty.',
  'pdlss.selfInstantiation.approval_required': 'The agent wants to create a sub-agent.',
  'commerce.intent.approval_required': 'The amount is more than the agent may spend without approval.',
}
