import { useApiQuery } from '../../api/useApiQuery.ts'
import { revealText } from '../../parts/code/revealText.ts'
import { Statistics } from '../../parts/statistics/Statistics.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

const POLL_MS = 15_000

/** What happened at an endpoint in the last 30 days. */
export function EndpointStatistics({ id }: { id: string }) {
  const query = useApiQuery('GET /api/endpoints/:id/statistics', { params: { id }, pollMs: POLL_MS })
  return (
    <Statistics
      query={query}
      ranking={{ title: 'Who asked most', by: 'agent', empty: 'No agent has made a request.' }}
      renderCounterpart={(agentId, name) => (
        <TextLink to={`/agents/${agentId}`}>{revealText(name ?? agentId)}</TextLink>
      )}
      namesOf={({ counterparts }) =>
        Object.fromEntries(
          counterparts.flatMap((agent) => (agent.name === null ? [] : [[agent.id, revealText(agent.name)]])),
        )
      }
    />
  )
}
