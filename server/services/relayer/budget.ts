import type { Fees } from '@svc/core/fees.ts'
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

/** Why an intent waits that costs more than what is left of the day, while an ordinary one would not. */
export const TOO_DEAR_TODAY = 'what is left of the daily budget does not pay for this one'

/** Gas of a mint, the most common of the large ones, with the margin of `prepareIntents`. */
const ORDINARY_GAS = (250_000n * 5n) / 4n

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
 * only themselves: their shares come first, because whatever exceeds one of them says nothing about the others.
 * A replacement at a higher fee is not asked for here, because the transaction that it replaces blocks all others.
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
  const isAnchoring = ANCHORING_KINDS.some((anchoring) => anchoring === kind)
  if (isAnchoring) return costGwei > spare ? 'day' : null
  const { transactions } = deps.stores
  const since = deps.clock() - DAY_MS
  const fits = async (share: number, selection: Parameters<typeof transactions.costSince>[1]) =>
    costGwei <= budget * share - (await transactions.costSince(since, selection))
  const { accountShare, networkShare } = deps.policy
  if (accountId !== null && !(await fits(accountShare, { payer: { 'intent.account_id': accountId } })))
    return 'account'
  if (network !== null && !(await fits(networkShare, { payer: { 'intent.network': network } })))
    return 'network'
  if (strangerId !== null && !(await fits(STRANGERS_SHARE, { forStrangers: true }))) return 'strangers'
  const isDaySpent = costGwei > spare || !(await fits(1 - ANCHORING_SHARE, { exceptKinds: ANCHORING_KINDS }))
  return isDaySpent ? 'day' : null
}

/**
 * Whether the budget of the last 24 hours, which does not pay for an intent, still pays for an ordinary mint at these fees.
 * If it does, only that intent has to wait.
 */
export async function paysForOrdinary(
  deps: BudgetDeps,
  { kind }: Pick<Intent, 'kind'>,
  { maxFeePerGas }: Fees,
): Promise<boolean> {
  if (ANCHORING_KINDS.some((anchoring) => anchoring === kind)) return false
  const nobody = { strangerId: null, accountId: null, network: null }
  const cost = toGwei(ORDINARY_GAS * maxFeePerGas)
  return (await findSpentBudget(deps, { kind, ...nobody }, cost)) === null
}

/** Converts wei to whole gwei, rounded up; the number is exact up to nine million ether. */
export function toGwei(wei: bigint): number {
  return Number((wei + WEI_PER_GWEI - 1n) / WEI_PER_GWEI)
}
