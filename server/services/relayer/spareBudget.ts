import { ANCHORING_KINDS } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const DAY_MS = 86_400_000
/** The part of the budget that only anchoring may use. */
const ANCHORING_SHARE = 0.25

/**
 * What may still be spent of the last 24 hours' budget, in gwei; null where there is no budget.
 *
 * @param kind The kind of intent it is for, where a kind that is not anchoring leaves the part of anchoring alone; all
 *   that is left unless given.
 */
export async function spareBudget(
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
