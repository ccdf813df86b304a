import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { SpendStore } from '../../store/feed/spendStore.ts'
import type { CapUseStore } from '../../store/recorder/capUseStore.ts'
import { actsForOf } from '../actsForOf.ts'
import { findOwnAgent } from '../agents/findOwnAgent.ts'
import type { Principal } from '../principal.ts'
import { findCapHolders } from '../verification/findCapHolders.ts'
import { type ReadDecisionStatisticsDeps, readDecisionStatistics } from './readDecisionStatistics.ts'
import { readTransactionUse } from './readTransactionUse.ts'
import { findFirstRecentDay } from './recentDays.ts'

export type ReadAgentStatisticsDeps = ReadDecisionStatisticsDeps & {
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId'>
  endpoints: Pick<EndpointStore, 'byAnyId'>
  caps: CapUseStore
  spend: SpendStore
}

/**
 * Reads the decisions about one of the caller's agents, what it has spent, and how far its hourly cap is used up, and the
 * higher ones of ancestors under which it counts, too.
 *
 * Caps of endpoints are their owners'; nothing here tells how far they are used.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner.
 */
export async function readAgentStatistics(
  deps: ReadAgentStatisticsDeps,
  { id, principal, now }: { id: string; principal: Principal; now: number },
): Promise<ResultOf<'GET /api/agents/:id/statistics'>> {
  const agent = await findOwnAgent(deps.agents, { id, principal })
  const actsFor = actsForOf(principal)
  const { svcId, pdlss } = agent
  const statistics = await readDecisionStatistics(deps, { subjectId: svcId, now })
  const max = pdlss.limits?.maxTransactionsPerHour
  const { rateCountsAs, ancestorRates } = await findCapHolders(deps.agents, agent)
  const own = max === undefined ? [] : [{ agentId: svcId, countsAs: rateCountsAs, max }]
  const above = ancestorRates.map((one) => ({ ...one, agentId: one.countsAs }))
  return {
    ...statistics,
    counterparts: await Promise.all(
      statistics.counterparts.map(async ({ id: endpointId, count }) => {
        const endpoint = await deps.endpoints.byAnyId(endpointId)
        const isOwn = endpoint !== null && actsFor.has(endpoint.ownerId)
        return { id: endpoint?.svceId ?? endpointId, name: isOwn ? endpoint.name : null, count }
      }),
    ),
    spent: await deps.spend.since(findFirstRecentDay(now), svcId, 'anywhere'),
    caps: await Promise.all(
      [...own, ...above].map(async ({ agentId, countsAs, max: capMax }) => ({
        ...{ kind: 'transactions' as const, max: capMax, currency: null, period: 'hour' as const },
        scope: 'agent' as const,
        uses: [{ agentId, isProven: true, ...(await readTransactionUse(deps.caps, countsAs, now)) }],
      })),
    ),
  }
}
