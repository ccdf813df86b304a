import type { RelayerDeps } from './relayerDeps.ts'

const DAY_MS = 86_400_000

/** What may still be spent of the last 24 hours' budget, in gwei; null where there is no budget. */
export async function spareBudget(
  deps: Pick<RelayerDeps, 'stores' | 'policy' | 'clock'>,
): Promise<number | null> {
  if (deps.policy.dailyBudgetGwei === null) return null
  return deps.policy.dailyBudgetGwei - (await deps.stores.transactions.costSince(deps.clock() - DAY_MS))
}
