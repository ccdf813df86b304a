import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { SignedTransaction } from '../../store/relayer/transactionStore.ts'
import { BUDGET_SPENT, readSpareBudget, toGwei } from './budget.ts'
import { backOffMs } from './failures.ts'
import { raiseFees } from './fees.ts'
import { findAccount } from './findAccount.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './startRound.ts'

const SENT_MAX = 100

/**
 * Sends signed transactions to the node: new ones, those that the node may have dropped, and a replacement with higher fees
 * if the one that blocks all others is not mined in time.
 *
 * They are sent in the order of their nonces, not of their intents, because a node may refuse a transaction with a nonce gap
 * before it. The replies "already known" and "nonce too low" mean that the node has or had the transaction; its receipt
 * will show which.
 *
 * @returns How many transactions were sent.
 */
export async function sendIntents(deps: RelayerDeps, round: Round): Promise<number> {
  const intents = await deps.stores.outbox.open(['signed', 'sent'], SENT_MAX)
  let sent = 0
  for (const intent of intents.toSorted((a, b) => (a.nonce ?? 0) - (b.nonce ?? 0))) {
    if (intent.nonce === null) continue
    const [newest] = await deps.stores.transactions.ofIntent(intent.id, intent.nonce)
    if (newest === undefined) continue
    const now = deps.clock()
    if (intent.nextAttemptAt > now) continue
    // A fee below the base fee is refused by some nodes and leaves the transaction, and all behind it, waiting in others.
    const isCheap = newest.maxFeePerGas < round.market.baseFee
    if (intent.status === 'signed' && !isCheap) {
      sent += await send(deps, intent, newest)
    } else if (intent.status === 'signed' || now - (newest.sentAt ?? 0) >= deps.policy.resendMs) {
      const replacement = await replace(deps, round, intent, newest)
      if (typeof replacement !== 'string') sent += await send(deps, intent, replacement ?? newest)
      else sent += await send(deps, intent, newest, replacement)
    }
  }
  return sent
}

/** @param lastError A problem to record although the node accepts the transaction. */
async function send(
  deps: RelayerDeps,
  intent: Intent,
  transaction: SignedTransaction,
  lastError: string | null = null,
): Promise<number> {
  const { outbox, transactions } = deps.stores
  const reply = await deps.chain.send(transaction.raw as Hex)
  const now = deps.clock()
  if (reply.outcome === 'nonceTooHigh') {
    // The one before it is in flight or will be resent; as soon as the node has it, this one can be sent.
    const lastError = `the node requires the transactions before nonce ${transaction.nonce} first`
    await deps.whileLeaseHeld((trx) => outbox.defer(trx, intent.id, { lastError, nextAttemptAt: now }, now))
    return 0
  }
  if (reply.outcome === 'insufficientFunds' || reply.outcome === 'rejected') {
    const lastError = `${reply.outcome}: ${reply.message}`
    const nextAttemptAt = now + backOffMs(5)
    deps.log.warn({ intent: intent.idempotencyKey, nonce: transaction.nonce }, lastError)
    await deps.whileLeaseHeld((trx) => outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
    return 0
  }
  await deps.whileLeaseHeld(async (trx) => {
    await outbox.markSent(trx, intent.id, now)
    await transactions.markSent(trx, transaction.hash, now)
    if (lastError !== null) await outbox.defer(trx, intent.id, { lastError, nextAttemptAt: now }, now)
  })
  return 1
}

/**
 * Stores a transaction with higher fees for the same nonce.
 *
 * @returns The transaction; null if it is too early or its key is not known; or the reason why it would be too expensive.
 */
async function replace(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  former: SignedTransaction,
): Promise<SignedTransaction | string | null> {
  const now = deps.clock()
  const account = findAccount(round, former.sender)
  if (account === null || former.nonce > account.nextNonce || now - former.signedAt < deps.policy.replaceMs)
    return null
  const fees = raiseFees(former, round.market)
  if (fees === null) return 'a replacement would cost more than allowed'
  const { raw, hash, gas } = await deps.chain.signWithFees(former.raw as Hex, fees, account.sender)
  const cost = toGwei(gas * fees.maxFeePerGas)
  const spare = await readSpareBudget(deps)
  if (spare !== null && cost - former.costGwei > spare) return BUDGET_SPENT.day
  const { sender, nonce } = former
  const replacement = { hash, raw, sender, nonce, ...fees, costGwei: cost, signedAt: now, sentAt: null }
  await deps.whileLeaseHeld(async (trx) => {
    await deps.stores.outbox.markReplaced(trx, intent.id, now)
    await deps.stores.transactions.insert(trx, intent.id, replacement)
  })
  deps.log.warn({ intent: intent.idempotencyKey, nonce, maxFeePerGas: String(fees.maxFeePerGas) }, 'replaced')
  return replacement
}
