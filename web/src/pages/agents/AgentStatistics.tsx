import { Text } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { Statistics } from '../../parts/statistics/Statistics.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { formatProven, formatUnproven } from '../../parts/words/formatSpent.ts'

const POLL_MS = 15_000

/** What an agent did in the last 30 days, for its owner. */
export function AgentStatistics({ svcId, name }: { svcId: string; name: string }) {
  const query = useApiQuery('GET /api/agents/:id/statistics', { params: { id: svcId }, pollMs: POLL_MS })
  return (
    <Statistics
      query={query}
      ranking={{
        title: 'Endpoints it contacted most',
        by: 'endpoint',
        empty: 'It has not contacted any endpoint.',
      }}
      renderCounterpart={(id, endpointName) => linkEndpoint(svcId, id, endpointName)}
      namesOf={() => ({ [svcId]: revealText(name) })}
    >
      {({ spent, caps }) => (
        <Text size="sm">
          Spent in the last 30 days: {formatProven(spent) ?? 'nothing'}.
          {describeUnproven(formatUnproven(spent))}
          {caps.length > 0 && ' Requests that do not prove the agent are counted separately.'}
        </Text>
      )}
    </Statistics>
  )
}

/** The page of an endpoint is its owner’s; to others, an endpoint is what the agent did there. */
function linkEndpoint(svcId: string, id: string, name: string | null) {
  if (name !== null) return <TextLink to={`/endpoints/${id}`}>{revealText(name)}</TextLink>
  return <TextLink to={`/activity?${new URLSearchParams({ agent: svcId, endpoint: id })}`}>{id}</TextLink>
}

function describeUnproven(sum: string | null): string | null {
  return sum && ` Requests that only named the agent, as anyone can, spent ${sum}.`
}
