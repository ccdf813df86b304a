import { SimpleGrid } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Loaded } from '../../parts/Loaded.tsx'
import { CapsSection } from '../../parts/statistics/CapsSection.tsx'
import { RankingSection } from '../../parts/statistics/RankingSection.tsx'
import { ReasonsSection } from '../../parts/statistics/ReasonsSection.tsx'
import { TrafficSection } from '../../parts/statistics/TrafficSection.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

const POLL_MS = 15_000

/** What happened at an endpoint in the last 30 days. */
export function EndpointStatistics({ id }: { id: string }) {
  const query = useApiQuery('GET /api/endpoints/:id/statistics', { params: { id }, pollMs: POLL_MS })
  return (
    <Loaded query={query}>
      {({ hours, lastUsedAt, reasons, counterparts, areCounterpartsComplete, caps }) => (
        <>
          <TrafficSection hours={hours} lastUsedAt={lastUsedAt} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <ReasonsSection reasons={reasons} />
            <RankingSection
              title="Who asked most"
              description={`Requests of the last ${areCounterpartsComplete ? '30 days' : 'days'}, by agent.`}
              empty="No agent has asked."
              items={counterparts.map((agent) => ({
                id: agent.id,
                name: <TextLink to={`/agents/${agent.id}`}>{agent.name ?? agent.id}</TextLink>,
                count: agent.count,
              }))}
            />
          </SimpleGrid>
          <CapsSection
            caps={caps}
            names={Object.fromEntries(
              counterparts.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])),
            )}
          />
        </>
      )}
    </Loaded>
  )
}
