import type { ApprovalSpending } from '@svc/core/contract/approvals.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { SpendStore } from '../../store/feed/spendStore.ts'
import { findFirstRecentDay, RECENT_DAYS } from '../activity/recentDays.ts'

export type ReadSpendingDeps = {
  spend: SpendStore
  /** Waits until the feed has all that was committed before the call. */
  catchUp: () => Promise<unknown>
}

/**
 * Reads what an agent has spent by granted requests in the last 30 days, at all endpoints of the counterparty of an approval
 * and anywhere: a new endpoint does not make a known counterparty look unknown. Null while the feed is not up to date,
 * because a sum that lacks the last purchases would mislead.
 */
export async function readSpending(
  { spend, catchUp }: ReadSpendingDeps,
  { agentId, endpointId }: Pick<StoredApproval, 'agentId' | 'endpointId'>,
  now: number,
): Promise<ApprovalSpending | null> {
  const isUpToDate = await catchUp().then(
    () => true,
    () => false,
  )
  if (!isUpToDate) return null
  const fromDay = findFirstRecentDay(now)
  return {
    days: RECENT_DAYS,
    atCounterparty:
      endpointId === null ? [] : await spend.since(fromDay, agentId, { ownerOfEndpoint: endpointId }),
    inAll: await spend.since(fromDay, agentId, 'anywhere'),
  }
}
