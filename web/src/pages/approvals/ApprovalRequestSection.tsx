import { List, Text } from '@mantine/core'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { When } from '../../parts/When.tsx'
import { describeDimension } from '../../parts/words/dimensionWords.ts'
import { describeProof } from '../../parts/words/proofWords.ts'
import { summariseApproval } from './summariseApproval.ts'

/** The request: every fact that the approval is bound to, and why it needs the owner's approval. */
export function ApprovalRequestSection({ approval }: { approval: Approval }) {
  const { request, dimensions, agentId, createdAt, approvalId } = approval
  const { agent, purpose, amount } = summariseApproval(approval)
  const { endpointId, subAgent } = request
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
          ['Resource', request.resource],
          ['Resource type', request.resourceType],
          ['Jurisdiction', request.jurisdiction],
          ['Session', request.sessionDuration && `${request.sessionDuration.toLocaleString('en')} seconds`],
          ['Certifications', request.certifications?.join(', ')],
          ['Sub-agent', subAgent && describeSubAgent(subAgent)],
          ['Proof of identity', describeProof(request.identityProof)],
          ['Why you are asked', <Reasons key="reasons" dimensions={dimensions} />],
          [
            'Agent',
            <TextLink key="agent" to={`/agents/${agentId}`}>
              {agent}
            </TextLink>,
          ],
          ['Requested', <When key="requested" time={createdAt} />],
          ['Endpoint identifier', endpointId && <CopyText text={endpointId} name="endpoint identifier" />],
          ['Approval identifier', <CopyText key="id" text={approvalId} name="approval identifier" />],
        ]}
      />
    </Section>
  )
}

function describeSubAgent({ purpose, depth }: NonNullable<Approval['request']['subAgent']>): string {
  return [purpose, `${depth} ${depth === 1 ? 'level' : 'levels'} below the agent`].filter(Boolean).join(', ')
}

function Reasons({ dimensions }: { dimensions: readonly string[] }) {
  const [first = '', ...others] = dimensions.map((dimension) => describeDimension(dimension))
  if (others.length === 0) return first
  return (
    <List spacing={2}>
      {[first, ...others].map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
  )
}
