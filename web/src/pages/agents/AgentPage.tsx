import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { BLOCKS } from '@svc/core/commerce/commerceProtocol.ts'
import type { Agent } from '@svc/core/contract/agents.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { DeclarationsView } from '../../parts/DeclarationsView.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TrustScore } from '../../parts/TrustScore.tsx'
import { When } from '../../parts/When.tsx'
import { ApprovalRulesSection } from './ApprovalRulesSection.tsx'
import { CardSection } from './CardSection.tsx'
import { DetailsSection } from './DetailsSection.tsx'
import { KeysSection } from './KeysSection.tsx'
import { RequirementsSection } from './RequirementsSection.tsx'
import { StatusSection } from './StatusSection.tsx'
import { TrustHistorySection } from './TrustHistorySection.tsx'

const MINTING_POLL_MS = 3_000

/** An agent: its public record, and for its owner everything else. */
export function AgentPage({ id }: { id: string }) {
  const query = useApiQuery('GET /api/agents/:id', { params: { id } })
  const agent = query.data?.agent
  useApiQuery('GET /api/agents/:id', {
    params: { id },
    pollMs: MINTING_POLL_MS,
    enabled: agent?.blockchainStatus === 'pending',
  })
  return (
    <>
      <PageHeader
        title={agent?.name ?? 'Agent'}
        description={agent?.description}
        back={{ to: '/agents', name: 'Agents' }}
      >
        {agent && (
          <LinkButton to={`/activity?agent=${agent.svcId}`} variant="default">
            Activity
          </LinkButton>
        )}
      </PageHeader>
      <Loaded query={query}>
        {({ agent: found }) => (
          <Stack gap="lg">
            <Identity agent={found} />
            {found.pdlss !== undefined && <TrustHistorySection svcId={found.svcId} />}
            <ChainRecord agent={found} />
            <BoundarySection agent={found} />
            <DeclarationsSection agent={found} />
            {found.pdlss !== undefined && (
              <KeysSection svcId={found.svcId} isRetired={found.agentStatus === 'retired'} />
            )}
            {found.pdlss !== undefined && found.agentStatus !== 'retired' && (
              <>
                <RequirementsSection svcId={found.svcId} />
                <ApprovalRulesSection svcId={found.svcId} />
                <DetailsSection agent={found} />
              </>
            )}
            <CardSection agent={found} />
            {found.pdlss !== undefined && <StatusSection agent={found} />}
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function Identity({ agent }: { agent: Agent }) {
  const { model, framework, certifications = [] } = agent
  const joinParts = (parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')
  return (
    <Section title="Identity" right={<StatusBadge value={agent.agentStatus} />}>
      <TrustScore score={agent.trustScore} size={84} withLevel />
      <Facts
        facts={[
          ['Identifier', <CopyText key="id" text={agent.svcId} name="agent identifier" />],
          [
            'Owner',
            agent.ownerIdentifier && <CopyText text={agent.ownerIdentifier} name="owner identifier" />,
          ],
          ['Type', agent.agentType],
          ['Model', model && joinParts([model.modelName, model.modelProvider, model.modelType])],
          ['Framework', framework && joinParts([framework.frameworkName, framework.frameworkVersion])],
          ['Protocols', agent.protocols.length > 0 && <Names names={agent.protocols} />],
          ['Certifications', certifications.length > 0 && <Names names={certifications} />],
          ['Runtime challenge', agent.runtimeChallengeSupported ? 'Supported' : 'Not supported'],
          ['Challenge URL', agent.apiEndpoint],
          ['Registered', <When key="registered" time={agent.registeredAt} />],
        ].flatMap(([name, value]) => (value === false ? [] : [[name as string, value] as const]))}
      />
    </Section>
  )
}

function Names({ names }: { names: string[] }) {
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Badge key={name} variant="default" radius="sm" tt="none">
          {name}
        </Badge>
      ))}
    </Group>
  )
}

const CHAIN_STATES: Record<string, string> = {
  unverified: 'The agent has no on-chain identity.',
  pending: 'The token is being minted at the service’s expense.',
  failed: 'Minting failed. The registration itself is valid.',
}

function ChainRecord({ agent }: { agent: Agent }) {
  const { onChainIdentity: identity, blockchainStatus } = agent
  return (
    <Section
      title="On-chain identity"
      description="An ERC-8004 identity, owned by the key that registered the agent."
      right={<StatusBadge value={blockchainStatus} />}
    >
      {identity ? (
        <Facts
          facts={[
            ['Token', `#${identity.agentId}`],
            ['Registry', <CopyText key="registry" text={identity.agentRegistry} name="registry" />],
            [
              'Transaction',
              identity.transactionHash && (
                <CopyText text={identity.transactionHash} name="transaction hash" />
              ),
            ],
            ['Block', identity.blockNumber?.toLocaleString()],
          ]}
        />
      ) : (
        <Text c="dimmed">
          {agent.blockchainDelay?.message ?? CHAIN_STATES[blockchainStatus] ?? 'No on-chain identity yet.'}
        </Text>
      )}
      <Group gap="lg">
        <Anchor href={new URL(agent.agentCardUrl).pathname} size="sm">
          Agent card
        </Anchor>
        <Anchor href={new URL(agent.registrationFileUrl).pathname} size="sm">
          Registration file
        </Anchor>
      </Group>
    </Section>
  )
}

/** Only the owner sees declarations; hidden if there are none. */
function DeclarationsSection({ agent }: { agent: Agent }) {
  if (!BLOCKS.some((block) => agent[block] !== undefined)) return null
  return (
    <Section title="Protocol declarations" description="What the agent declares for each commerce protocol.">
      <DeclarationsView declarations={agent} />
    </Section>
  )
}

function BoundarySection({ agent }: { agent: Agent }) {
  if (agent.pdlss === undefined) {
    return (
      <Section title="Boundary">
        <Text c="dimmed">
          Only the owner can see what this agent is allowed to do. Counterparties only receive decisions.
        </Text>
      </Section>
    )
  }
  return (
    <Section
      title="Boundary"
      description="What the agent may do (PDLSS). It cannot be changed: to do so, retire the agent and register a new one."
    >
      <BoundaryView boundary={agent.pdlss} side="agent" />
    </Section>
  )
}
