import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import type { Endpoint } from '../api/types.ts'
import { useAnswer } from '../api/useAnswer.ts'
import { BoundaryView } from '../parts/BoundaryView.tsx'
import { CopyText } from '../parts/CopyText.tsx'
import { Facts } from '../parts/Facts.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Section } from '../parts/Section.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { When } from '../parts/When.tsx'
import { UnverifiedPolicySection } from './UnverifiedPolicySection.tsx'

/** One endpoint: who it is, who gets in, and the policy for callers without identity. */
export function EndpointPage({ id }: { id: string }) {
  const query = useAnswer<{ endpoint: Endpoint }>(`/api/endpoints/${encodeURIComponent(id)}`)
  const endpoint = query.data?.endpoint
  return (
    <>
      <PageHeader
        title={endpoint?.name ?? 'Endpoint'}
        description={endpoint?.counterpartyUrl}
        back={{ to: '/endpoints', name: 'Endpoints' }}
      >
        <LinkButton to={`/activity?endpoint=${encodeURIComponent(id)}`} variant="default">
          Activity
        </LinkButton>
      </PageHeader>
      <Loaded query={query}>
        {({ endpoint: found }) => (
          <Stack gap="lg">
            <About endpoint={found} />
            <UnverifiedPolicySection
              key={found.unverifiedAgentPolicy}
              id={id}
              policy={found.unverifiedAgentPolicy}
            />
            <Routes routes={found.routes} />
            <Section
              title="Boundary"
              description="What any agent may do here at most (PDLSS). It is set when the endpoint is registered; changing it later takes a passkey."
            >
              <BoundaryView boundary={found.pdlss} />
            </Section>
          </Stack>
        )}
      </Loaded>
    </>
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
          [
            'Organisation',
            organizationId && <CopyText text={organizationId} name="organisation identifier" />,
          ],
          ['Type', endpoint.counterpartyType.replaceAll('_', ' ')],
          ['Trust score required', String(trustScoreRequirement)],
          ['Webhook secret', webhookSecret],
          ['Registered', <When key="created" time={endpoint.createdAt} />],
          ['Changed', <When key="updated" time={endpoint.updatedAt} />],
        ]}
      />
    </Section>
  )
}

function Routes({ routes }: { routes: Endpoint['routes'] }) {
  return (
    <Section
      title="Routes"
      description="The access level that a path takes, for gateways of the client library."
    >
      {routes.length === 0 ? (
        <Text c="dimmed">No route asks for more than the recommendation.</Text>
      ) : (
        <Table.ScrollContainer minWidth={300}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Method</Table.Th>
                <Table.Th>Pattern</Table.Th>
                <Table.Th>Least level</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {routes.map(({ method = '*', pattern, minAccessLevel }) => (
                <Table.Tr key={`${method} ${pattern} ${minAccessLevel}`}>
                  <Table.Td>{method === '*' ? 'any' : method}</Table.Td>
                  <Table.Td ff="monospace">{pattern}</Table.Td>
                  <Table.Td>
                    <Badge variant="default" radius="sm" tt="none">
                      {minAccessLevel}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  )
}
