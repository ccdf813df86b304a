import { Group, Stack, Text } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { useState } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { revealText } from '../../parts/code/revealText.ts'
import { SecretOnce } from '../../parts/code/SecretOnce.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { EventsSection } from '../../parts/lists/EventsSection.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { When } from '../../parts/When.tsx'
import { AllowlistSection } from './AllowlistSection.tsx'
import { BoundarySection } from './BoundarySection.tsx'
import { ClaimSection } from './ClaimSection.tsx'
import { nameCounterpartyType } from './counterpartyTypes.ts'
import { DetailsSection } from './DetailsSection.tsx'
import { DomainSection } from './DomainSection.tsx'
import { EndpointStatistics } from './EndpointStatistics.tsx'
import { IntegrateSection } from './IntegrateSection.tsx'
import { LifecycleSection } from './LifecycleSection.tsx'
import { RequirementsSection } from './RequirementsSection.tsx'
import { RoutesSection } from './RoutesSection.tsx'
import { UnverifiedPolicySection } from './UnverifiedPolicySection.tsx'
import { WebhookSection } from './WebhookSection.tsx'

/** An endpoint and everything that its organisation can change about it. */
export function EndpointPage({ id }: { id: string }) {
  const query = useApiQuery('GET /api/endpoints/:id', { params: { id } })
  const [secret, setSecret] = useState<string | null>(null)
  const endpoint = query.data?.endpoint
  return (
    <>
      <PageHeader
        title={endpoint?.name ?? 'Endpoint'}
        description={endpoint?.counterpartyUrl}
        back={{ to: '/endpoints', name: 'Endpoints' }}
      >
        {endpoint && endpoint.status !== 'active' && <StatusBadge value={endpoint.status} />}
        <LinkButton to={`/activity?endpoint=${encodeURIComponent(id)}`} variant="default">
          Activity
        </LinkButton>
      </PageHeader>
      <Loaded query={query}>
        {({ endpoint: found }) => (
          <Stack gap="lg">
            {secret !== null && (
              <SecretOnce secret={secret} name="webhook secret">
                The endpoint is now yours. Your server needs this secret to verify the signature of webhooks.
                From now on it is shown masked.
              </SecretOnce>
            )}
            {found.verificationTier === 'discovered' && found.status === 'active' ? (
              <>
                <About endpoint={found} />
                <ClaimSection endpoint={found} onClaimed={({ webhookSecret }) => setSecret(webhookSecret)} />
              </>
            ) : (
              <Claimed id={id} endpoint={found} />
            )}
          </Stack>
        )}
      </Loaded>
    </>
  )
}

/** A claimed endpoint by tab; read-only once it is no longer active. */
function Claimed({ id, endpoint }: { id: string; endpoint: Endpoint }) {
  const isReadOnly = endpoint.status !== 'active'
  const anyId = endpoint.svceId ?? endpoint.id
  return (
    <PageTabs
      label="Sections of the endpoint"
      tabs={[
        { id: 'overview', name: 'Overview', content: <Overview endpoint={endpoint} /> },
        { id: 'integrate', name: 'Integrate', content: <IntegrateSection endpoint={endpoint} /> },
        { id: 'policy', name: 'Policy', content: <Policy {...{ id, endpoint, isReadOnly }} /> },
        {
          ...{ id: 'allowlist', name: 'Allowlist' },
          content: <AllowlistSection endpointId={anyId} isReadOnly={isReadOnly} />,
        },
        { id: 'webhooks', name: 'Webhooks', content: <Webhooks endpoint={endpoint} /> },
        { id: 'events', name: 'Events', content: <EventsSection of={{ endpoint: anyId }} /> },
        { id: 'settings', name: 'Settings', content: <Settings {...{ endpoint, isReadOnly }} /> },
      ]}
    />
  )
}

function Overview({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Stack gap="lg">
      <About endpoint={endpoint} />
      <EndpointStatistics id={endpoint.svceId ?? endpoint.id} />
    </Stack>
  )
}

type PartProps = { endpoint: Endpoint; isReadOnly: boolean }

function Policy({ id, endpoint, isReadOnly }: PartProps & { id: string }) {
  const { unverifiedAgentPolicy: policy } = endpoint
  return (
    <Stack gap="lg">
      {!isReadOnly && <UnverifiedPolicySection key={policy} id={id} policy={policy} />}
      <BoundarySection {...{ endpoint, isReadOnly }} />
      {!isReadOnly && <RequirementsSection endpoint={endpoint} />}
      <RoutesSection {...{ endpoint, isReadOnly }} />
    </Stack>
  )
}

function Webhooks({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.status === 'archived') return <Text c="dimmed">An archived endpoint sends no events.</Text>
  return <WebhookSection endpoint={endpoint} />
}

function Settings({ endpoint, isReadOnly }: PartProps) {
  return (
    <Stack gap="lg">
      {!isReadOnly && (
        <>
          <DetailsSection endpoint={endpoint} />
          <DomainSection endpoint={endpoint} />
        </>
      )}
      {endpoint.status === 'archived' && (
        <Text c="dimmed">The endpoint is archived: nothing about it can be changed any more.</Text>
      )}
      <LifecycleSection endpoint={endpoint} />
    </Stack>
  )
}

function About({ endpoint }: { endpoint: Endpoint }) {
  const { svceId, organizationId, trustScoreRequirement, webhookSecret } = endpoint
  return (
    <Section
      title="About"
      right={
        <Group gap="xs">
          <StatusBadge value={endpoint.verificationTier} />
          <StatusBadge value={endpoint.status} />
        </Group>
      }
    >
      <Facts
        facts={[
          ['Identifier', svceId && <CopyText text={svceId} name="endpoint identifier" />],
          ['Organisation', organizationId && <OrganisationLink id={organizationId} />],
          ['Type', nameCounterpartyType(endpoint.counterpartyType)],
          ['Required trust score', String(trustScoreRequirement)],
          ['Webhook secret', webhookSecret],
          ['Registered', svceId && <When key="created" time={endpoint.createdAt} />],
          ['First seen', !svceId && <When key="seen" time={endpoint.createdAt} />],
          ['Updated', <When key="updated" time={endpoint.updatedAt} />],
        ].flatMap(([name, value]) => (value === false ? [] : [[name as string, value] as const]))}
      />
    </Section>
  )
}

/** An organisation of the viewer by its name; another one by its identifier. */
function OrganisationLink({ id }: { id: string }) {
  const { data } = useApiQuery('GET /api/organizations', { query: { limit: 100 } })
  const found = data?.items.find(({ organizationId }) => organizationId === id)
  if (found === undefined) return <CopyText text={id} name="organisation identifier" />
  return <TextLink to={`/organisations/${id}`}>{revealText(found.name)}</TextLink>
}
