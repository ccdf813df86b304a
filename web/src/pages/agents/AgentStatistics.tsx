import { SimpleGrid, Text } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Loaded } from '../../parts/Loaded.tsx'
import { CapsSection } from '../../parts/statistics/CapsSection.tsx'
import { RankingSection } from '../../parts/statistics/RankingSection.tsx'
import { ReasonsSection } from '../../parts/statistics/ReasonsSection.tsx'
import { TrafficSection } from '../../parts/statistics/TrafficSection.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { formatAmount } from '../../parts/words.ts'

const POLL_MS = 15_000

/** What an agent did in the last 30 days, for its owner. */
export function AgentStatistics({ svcId, name }: { svcId: string; name: string }) {
  const query = useApiQuery('GET /api/agents/:id/statistics', { params: { id: svcId }, pollMs: POLL_MS })
  return (
    <Loaded query={query}>
      {({ hours, lastUsedAt, reasons, counterparts, areCounterpartsComplete, caps, spent }) => (
        <>
          <TrafficSection hours={hours} lastUsedAt={lastUsedAt} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <ReasonsSection reasons={reasons} />
            <RankingSection
              title="Where it asked most"
              description={`Requests of the last ${areCounterpartsComplete ? '30 days' : 'days'}, by endpoint.`}
              empty="It has asked nowhere."
              items={counterparts.map((one) => ({
                id: one.id,
                name: linkEndpoint(svcId, one.id, one.name),
                count: one.count,
              }))}
            />
          </SimpleGrid>
          <CapsSection caps={caps} names={{ [svcId]: name }}>
            <Text size="sm">
              Spent in the last 30 days: {spent.map(formatSpent).join(', ') || 'nothing'}.
              {caps.length > 0 && ' Requests that do not prove the agent count in windows of their own.'}
            </Text>
          </CapsSection>
        </>
      )}
    </Loaded>
  )
}

/** The page of an endpoint is its owner’s; to others, an endpoint is what the agent did there. */
function linkEndpoint(svcId: string, id: string, name: string | null) {
  if (name !== null) return <TextLink to={`/endpoints/${id}`}>{name}</TextLink>
  return <TextLink to={`/activity?${new URLSearchParams({ agent: svcId, endpoint: id })}`}>{id}</TextLink>
}

function formatSpent({ amount, currency }: { amount: string; currency: string | null }): string {
  return formatAmount(Number(amount), currency ?? undefined)
}
