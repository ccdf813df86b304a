import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { Cap, CapUse } from '@svc/core/contract/statistics.ts'
import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import { findPeriodEnd } from '@svc/core/time/period.ts'
import { zoneOf } from '@svc/core/time/zone.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { CapUseStore } from '../../store/recorder/capUseStore.ts'
import { actsForOf } from '../actsForOf.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { Principal } from '../principal.ts'
import { type ReadDecisionStatisticsDeps, readDecisionStatistics } from './readDecisionStatistics.ts'
import { readTransactionUse } from './readTransactionUse.ts'

export type ReadEndpointStatisticsDeps = ReadDecisionStatisticsDeps & {
  endpoints: Pick<EndpointStore, 'byAnyId'>
  agents: Pick<AgentStore, 'bySvcId'>
  caps: CapUseStore
}

/** A caller in the counters: proven and unproven requests of an agent are counted apart. */
type Holder = Pick<CapUse, 'agentId' | 'isProven'> & { key: string; suffix: '' | '~' }

/**
 * Reads the decisions at one of the caller's endpoints, and how far the busiest agents have used up the caps of its
 * boundary.
 *
 * It reads no boundary of an agent. A cap that adds up what each owner's agents spend has no uses here, because they would
 * tell which agents have the same owner; what sub-agents use of the caps of an ancestor counts for that ancestor.
 *
 * @param input.id `SVCE-` identifier or UUID.
 * @throws ApiError NOT_FOUND, also for the endpoints of others.
 */
export async function readEndpointStatistics(
  deps: ReadEndpointStatisticsDeps,
  { id, principal, now }: { id: string; principal: Principal; now: number },
): Promise<ResultOf<'GET /api/endpoints/:id/statistics'>> {
  const endpoint = await findOwnEndpoint(deps.endpoints, { id, principal })
  const statistics = await readDecisionStatistics(deps, { subjectId: endpoint.id, now })
  const actsFor = actsForOf(principal)
  const holders = listHolders(statistics.counterparts.map((one) => one.id))
  return {
    ...statistics,
    counterparts: await Promise.all(
      statistics.counterparts.map(async (one) => {
        const agent = await deps.agents.bySvcId(one.id)
        return { ...one, name: agent !== null && actsFor.has(agent.ownerId) ? agent.name : null }
      }),
    ),
    caps: [
      ...(await readTransactionCap(deps.caps, endpoint, holders, now)),
      ...(await readSpendCap(deps.caps, endpoint, holders, now)),
    ],
  }
}

function listHolders(agentIds: readonly string[]): Holder[] {
  return [
    ...agentIds.flatMap((agentId) => [
      { agentId, key: agentId, isProven: true, suffix: '' as const },
      { agentId, key: agentId, isProven: false, suffix: '~' as const },
    ]),
    { agentId: null, key: 'anonymous', isProven: false, suffix: '' as const },
  ]
}

async function readTransactionCap(
  caps: CapUseStore,
  { id, pdlss }: EndpointRow,
  holders: readonly Holder[],
  now: number,
): Promise<Cap[]> {
  const max = pdlss.limits?.maxTransactionsPerHour
  if (max === undefined) return []
  const uses = await Promise.all(
    holders.map(async ({ agentId, key, isProven, suffix }) => ({
      ...{ agentId, isProven },
      ...(await readTransactionUse(caps, `${key}@${id}${suffix}`, now)),
    })),
  )
  return [
    {
      ...{ kind: 'transactions', max, currency: null, period: 'hour', scope: 'agent' },
      uses: uses.filter(({ used }) => used !== '0'),
    },
  ]
}

async function readSpendCap(
  caps: CapUseStore,
  { id, pdlss }: EndpointRow,
  holders: readonly Holder[],
  now: number,
): Promise<Cap[]> {
  const { limits, duration } = pdlss
  const { cumulative, currency = null } = compileLimits(limits, duration?.timezone)
  const max = limits?.maxCumulativeSpend
  if (cumulative === undefined || max === undefined) return []
  const { period, scope, periodStart } = cumulative
  const everybody: Holder = { agentId: null, key: '*', isProven: true, suffix: '' }
  const counted = { agent: holders, owner: [], endpoint: [everybody] }[scope]
  const end = findPeriodEnd(period, now, zoneOf(duration?.timezone ?? 'UTC'))
  const uses = await Promise.all(
    counted.map(async ({ agentId, key, isProven, suffix }) => {
      const spent = await caps.spent(id, key + suffix, `${period}:${periodStart(now)}`)
      return spent.map((sum) => ({
        ...{ agentId, isProven, used: sum.total, currency: sum.currency ?? currency },
        resetsAt: end === null ? null : new Date(end).toISOString(),
      }))
    }),
  )
  return [{ kind: 'spend', max, currency, period, scope, uses: uses.flat() }]
}
