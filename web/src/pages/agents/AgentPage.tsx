import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { Agent } from '@svc/core/contract/agents.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { DeclarationsView, listDeclared } from '../../parts/DeclarationsView.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EventsSection } from '../../parts/lists/EventsSection.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { TrustScore } from '../../parts/TrustScore.tsx'
import { When } from '../../parts/When.tsx'
import { AgentStatistics } from './AgentStatistics.tsx'
import { ApprovalRulesSection } from './ApprovalRulesSection.tsx'
import { CardSection } from './CardSection.tsx'
import { DetailsSection } from './DetailsSection.tsx'
import { IntegrateSection } from './IntegrateSection.tsx'
import { KeysSection } from './KeysSection.tsx'
import { ListingSection } from './ListingSection.tsx'
import { NamesSection } from './NamesSection.tsx'
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
        {agent && agent.agentStatus !== 'active' && <StatusBadge value={agent.agentStatus} />}
        {agent && (
          <LinkButton to={`/activity?agent=${agent.svcId}`} variant="default">
            Activity
          </LinkButton>
        )}
      </PageHeader>
      <Loaded query={query}>
        {({ agent: found }) =>
          found.pdlss === undefined ? <PublicRecord agent={found} /> : <OwnedAgent agent={found} />
        }
      </Loaded>
    </>
  )
}

/** What anybody may see of an agent. */
function PublicRecord({ agent }: { agent: Agent }) {
  return (
    <Stack gap="lg">
      <Identity agent={agent} />
      <ChainRecord agent={agent} />
      <BoundarySection agent={agent} />
      <CardSection agent={agent} />
    </Stack>
  )
}

/** What the owner of an agent sees and changes, by tab. */
function OwnedAgent({ agent }: { agent: Agent }) {
  const { svcId } = agent
  const isRetired = agent.agentStatus === 'retired'
  return (
    <PageTabs
      label="Sections of the agent"
      tabs={[
        { id: 'overview', name: 'Overview', content: <Overview agent={agent} /> },
        {
          id: 'integrate',
          name: 'Integrate',
          content: isRetired ? <Retired /> : <IntegrateSection svcId={svcId} />,
        },
        { id: 'boundary', name: 'Boundary', content: <BoundarySection agent={agent} /> },
        {
          ...{ id: 'rules', name: 'Approval rules' },
          content: isRetired ? <Retired /> : <ApprovalRulesSection svcId={svcId} />,
        },
        { id: 'keys', name: 'Keys', content: <KeysSection svcId={svcId} isRetired={isRetired} /> },
        { id: 'events', name: 'Events', content: <EventsSection of={{ agent: svcId }} /> },
        { id: 'settings', name: 'Settings', content: <Settings agent={agent} isRetired={isRetired} /> },
      ]}
    />
  )
}

function Overview({ agent }: { agent: Agent }) {
  return (
    <Stack gap="lg">
      <Identity agent={agent} />
      <AgentStatistics svcId={agent.svcId} name={agent.name} />
      <TrustHistorySection svcId={agent.svcId} />
      <ChainRecord agent={agent} />
      <DeclarationsSection agent={agent} />
    </Stack>
  )
}

function Settings({ agent, isRetired }: { agent: Agent; isRetired: boolean }) {
  return (
    <Stack gap="lg">
      {isRetired ? (
        <Retired />
      ) : (
        <>
          <DetailsSection agent={agent} />
          <NamesSection agent={agent} />
          <RequirementsSection svcId={agent.svcId} />
          <ListingSection svcId={agent.svcId} />
        </>
      )}
      <CardSection agent={agent} />
      <StatusSection agent={agent} />
    </Stack>
  )
}

function Retired() {
  return <Text c="dimmed">The agent is retired: nothing about it can be changed any more.</Text>
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

/** Who holds the token, which the relayer mints; `custody` is unknown until the chain has reported it. */
const CUSTODIES = {
  owner: 'An ERC-8004 identity. The owner’s account on chain holds its token.',
  registry: 'An ERC-8004 identity. The registry holds its token for the owner, who has no wallet.',
} as const

function ChainRecord({ agent }: { agent: Agent }) {
  const { onChainIdentity: identity, blockchainStatus } = agent
  return (
    <Section
      title="On-chain identity"
      description={identity?.custody ? CUSTODIES[identity.custody] : 'An ERC-8004 identity.'}
      right={<StatusBadge value={blockchainStatus} />}
    >
      {identity ? (
        <Facts
          facts={[
            ['Token', `#${identity.agentId}`],
            [
              'Held by',
              identity.owner && <CopyText key="owner" text={identity.owner} name="holder of the token" />,
            ],
            ['Registry', <CopyText key="registry" text={identity.agentRegistry} name="registry" />],
            [
              'Transaction',
              identity.transactionHash && (
                <CopyText text={identity.transactionHash} name="transaction hash" />
              ),
            ],
            ['Block', identity.blockNumber?.toLocaleString('en')],
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

/** Only the owner sees declarations. */
function DeclarationsSection({ agent }: { agent: Agent }) {
  const isEmpty = listDeclared(agent).length === 0
  return (
    <Section
      title="Declarations"
      description="What the agent declares: its commerce protocols, its MCP server, its other names."
    >
      {isEmpty ? (
        <Text c="dimmed">The agent declares nothing.</Text>
      ) : (
        <DeclarationsView declarations={agent} />
      )}
      {agent.agentStatus !== 'retired' && (
        <Text size="sm">
          <TextLink to={`/agents/${agent.svcId}?tab=settings`}>Add, change or remove other names</TextLink>
        </Text>
      )}
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
      {agent.agentStatus === 'retired' && Object.keys(agent.pdlss).length === 0 ? (
        <Text c="dimmed">The agent had no boundary. It is retired: all its requests are denied.</Text>
      ) : (
        <BoundaryView
          boundary={agent.pdlss}
          side="agent"
          approvalRules={agent.approvalRules?.filter(asksOutsideThresholds)}
        />
      )}
    </Section>
  )
}

/** Whether a rule has an effect without thresholds: the default rule asks only between them. */
function asksOutsideThresholds({ dimension, match }: ApprovalRule): boolean {
  return dimension !== 'spend' || Object.keys(match).length > 0
}
