import { type Fees, raiseFees } from '@svc/core/fees.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { StoredTransaction } from '../../store/relayer/transactionStore.ts'
import { BUDGET_SPENT, readSpareBudget, toGwei } from './budget.ts'
import { findAccount } from './findAccount.ts'
import type { Trx } from './intentHandler.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './startRound.ts'

type Replacement = {
  /** What to write with it. */
  alsoWrite?: (trx: Trx) => Promise<void>
  /** Whether it is to use up the nonce without the call, because every node rejects the call. */
  isEmpty?: boolean
}

/**
 * Stores a transaction with the same nonce as another, the same call and higher fees.
 *
 * @param former The newest transaction under its nonce.
 * @returns The transaction; null if it is too early or its key is not known; or the reason why it would be too expensive.
 */
export async function replaceTransaction(
  deps: RelayerDeps,
  round: Round,
  former: StoredTransaction,
  { alsoWrite, isEmpty = false }: Replacement = {},
): Promise<StoredTransaction | string | null> {
  const now = deps.clock()
  const account = findAccount(round, former.sender)
  if (account === null || former.nonce > account.nextNonce || now - former.signedAt < deps.policy.replaceMs)
    return null
  // No node has one that all reject, so the same fees will do where higher ones are not allowed.
  const fees = raiseFees(former, round.market) ?? (isEmpty ? feesOf(former) : null)
  if (fees === null) return 'a replacement would cost more than allowed'
  const sign = isEmpty ? deps.chain.signEmpty : deps.chain.signWithFees
  const { raw, hash, gas } = await sign(former.raw as Hex, fees, account.sender)
  const cost = toGwei(gas * fees.maxFeePerGas)
  const spare = await readSpareBudget(deps)
  if (spare !== null && cost - former.costGwei > spare) return BUDGET_SPENT.day
  const { sender, nonce, intentId } = former
  const replacement = {
    intentId,
    hash,
    raw,
    sender,
    nonce,
    ...fees,
    costGwei: cost,
    signedAt: now,
    sentAt: null,
  }
  await deps.whileLeaseHeld(async (trx) => {
    await alsoWrite?.(trx)
    await deps.stores.transactions.insert(trx, intentId, replacement)
  })
  return replacement
}

function feesOf({ maxFeePerGas, maxPriorityFeePerGas }: StoredTransaction): Fees {
  return { maxFeePerGas, maxPriorityFeePerGas }
}
