import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { Cap, CapUse } from '@svc/core/contract/statistics.ts'
import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import { findPeriodEnd } from '@svc/core/time/period.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import { zoneOf } from '@svc/core/time/zone.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { CapUseStore } from '../../store/recorder/capUseStore.ts'
import { actsForOf } from '../actsForOf.ts'
import { findOwnEndpoint } from '../endpoints/findOwnEndpoint.ts'
import type { Principal } from '../principal.ts'
import {
  ALL_CALLERS,
  ANONYMOUS_CALLER,
  nameEndpointScope,
  nameSpender,
  nameSpendPeriod,
} from '../verification/counterNames.ts'
import { type ReadDecisionStatisticsDeps, readDecisionStatistics } from './readDecisionStatistics.ts'
import { readTransactionUse } from './readTransactionUse.ts'

export type ReadEndpointStatisticsDeps = ReadDecisionStatisticsDeps & {
  endpoints: Pick<EndpointStore, 'byAnyId'>
  agents: Pick<AgentStore, 'bySvcId'>
  caps: CapUseStore
}

/** A caller in the counters: proven and unproven requests of an agent are counted apart. */
type Holder = Pick<CapUse, 'agentId' | 'isProven'> & { countsAs: string; isApart: boolean }

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
      { agentId, countsAs: agentId, isProven: true, isApart: false },
      { agentId, countsAs: agentId, isProven: false, isApart: true },
    ]),
    { agentId: null, countsAs: ANONYMOUS_CALLER, isProven: false, isApart: false },
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
    holders.map(async (holder) => ({
      ...{ agentId: holder.agentId, isProven: holder.isProven },
      ...(await readTransactionUse(caps, nameEndpointScope(holder, id), now)),
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
  const everybody: Holder = { agentId: null, countsAs: ALL_CALLERS, isProven: true, isApart: false }
  const counted = { agent: holders, owner: [], endpoint: [everybody] }[scope]
  const end = findPeriodEnd(period, now, zoneOf(duration?.timezone ?? 'UTC'))
  const uses = await Promise.all(
    counted.map(async (holder) => {
      const { agentId, isProven } = holder
      const spent = await caps.spent(id, nameSpender(holder), nameSpendPeriod(period, periodStart(now)))
      return spent.map((sum) => ({
        ...{ agentId, isProven, used: sum.total, currency: sum.currency ?? currency },
        resetsAt: toIsoTime(end),
      }))
    }),
  )
  return [{ kind: 'spend', max, currency, period, scope, uses: uses.flat() }]
}
