import { ANCHORING_KINDS } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const DAY_MS = 86_400_000
/** Share of the budget that is reserved for anchoring. */
const ANCHORING_SHARE = 0.25
const WEI_PER_GWEI = 1_000_000_000n

/**
 * Reads how much of the budget of the last 24 hours is left, in gwei; null without a budget.
 *
 * @param kind Kind of the intent to pay for: unless it is an anchoring kind, the share reserved for anchoring is left out.
 *   Without a kind, everything that is left.
 */
export async function readSpareBudget(
  { stores, policy, clock }: Pick<RelayerDeps, 'stores' | 'policy' | 'clock'>,
  kind: string | null = null,
): Promise<number | null> {
  const budget = policy.dailyBudgetGwei
  if (budget === null) return null
  const since = clock() - DAY_MS
  const spare = budget - (await stores.transactions.costSince(since))
  if (kind === null || ANCHORING_KINDS.some((anchoring) => anchoring === kind)) return spare
  const spentByOthers = await stores.transactions.costSince(since, ANCHORING_KINDS)
  return Math.min(spare, budget * (1 - ANCHORING_SHARE) - spentByOthers)
}

/** Converts wei to whole gwei, rounded up; the number is exact up to nine million ether. */
export function toGwei(wei: bigint): number {
  return Number((wei + WEI_PER_GWEI - 1n) / WEI_PER_GWEI)
}
