import type { CapUse } from '@svc/core/contract/statistics.ts'
import type { CapUseStore } from '../../store/recorder/capUseStore.ts'

const HOUR_MS = 3_600_000

/** Reads how many transactions of a scope were granted in the last hour, and when the first of them leaves it. */
export async function readTransactionUse(
  caps: Pick<CapUseStore, 'grantsSince'>,
  scope: string,
  now: number,
): Promise<Pick<CapUse, 'used' | 'currency' | 'resetsAt'>> {
  const grants = await caps.grantsSince(scope, now - HOUR_MS)
  return {
    used: String(grants?.count ?? 0),
    currency: null,
    resetsAt: grants === null ? null : new Date(grants.firstAt + HOUR_MS).toISOString(),
  }
}
