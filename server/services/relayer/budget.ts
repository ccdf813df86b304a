import type { Intent } from '../../store/relayer/intentRow.ts'
import { ANCHORING_KINDS } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'

const DAY_MS = 86_400_000
/** Share of the budget that is reserved for anchoring. */
const ANCHORING_SHARE = 0.25
/** Largest share for agents of accounts without a verified identity, which anybody can open. */
const STRANGERS_SHARE = 1 / 3
const WEI_PER_GWEI = 1_000_000_000n

/** Why the gas for an intent is not spent now, as its row says. */
export const BUDGET_SPENT = {
  day: 'the daily budget is spent',
  strangers: 'the share of the daily budget for accounts without a verified identity is spent',
  account: 'the share of the daily budget for this account is spent',
  network: 'the share of the daily budget for this network is spent',
} as const

type BudgetDeps = Pick<RelayerDeps, 'stores' | 'policy' | 'clock'>

/** Reads how much of the budget of the last 24 hours is left, in gwei; null without a budget. */
export async function readSpareBudget({ stores, policy, clock }: BudgetDeps): Promise<number | null> {
  const budget = policy.dailyBudgetGwei
  return budget === null ? null : budget - (await stores.transactions.costSince(clock() - DAY_MS))
}

/**
 * Finds out whether the budget of the last 24 hours pays for a new transaction.
 *
 * A share is reserved for anchoring, and strangers, each account and each network use at most theirs, so that they delay
 * only themselves. A replacement at a higher fee is not asked for here, because the transaction that it replaces blocks all
 * others.
 *
 * @param costGwei The most that the transaction can cost.
 * @returns Null, or the part of the budget that is spent.
 */
export async function findSpentBudget(
  deps: BudgetDeps,
  { kind, strangerId, accountId, network }: Pick<Intent, 'kind' | 'strangerId' | 'accountId' | 'network'>,
  costGwei: number,
): Promise<keyof typeof BUDGET_SPENT | null> {
  const budget = deps.policy.dailyBudgetGwei
  const spare = await readSpareBudget(deps)
  if (budget === null || spare === null) return null
  if (costGwei > spare) return 'day'
  if (ANCHORING_KINDS.some((anchoring) => anchoring === kind)) return null
  const { transactions } = deps.stores
  const since = deps.clock() - DAY_MS
  const byOthers = await transactions.costSince(since, { exceptKinds: ANCHORING_KINDS })
  if (costGwei > budget * (1 - ANCHORING_SHARE) - byOthers) return 'day'
  const fits = async (share: number, selection: Parameters<typeof transactions.costSince>[1]) =>
    costGwei <= budget * share - (await transactions.costSince(since, selection))
  const { accountShare, networkShare } = deps.policy
  if (accountId !== null && !(await fits(accountShare, { payer: { 'intent.account_id': accountId } })))
    return 'account'
  if (network !== null && !(await fits(networkShare, { payer: { 'intent.network': network } })))
    return 'network'
  return strangerId === null || (await fits(STRANGERS_SHARE, { forStrangers: true })) ? null : 'strangers'
}

/** Converts wei to whole gwei, rounded up; the number is exact up to nine million ether. */
export function toGwei(wei: bigint): number {
  return Number((wei + WEI_PER_GWEI - 1n) / WEI_PER_GWEI)
}
