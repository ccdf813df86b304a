import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { SignedTransaction } from '../../store/relayer/transactionStore.ts'
import { backOffMs } from './failures.ts'
import type { Trx } from './intentHandler.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { replaceTransaction } from './replaceTransaction.ts'
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
      const markReplaced = (trx: Trx) => deps.stores.outbox.markReplaced(trx, intent.id, now)
      const replacement = await replaceTransaction(deps, round, newest, markReplaced)
      if (replacement !== null && typeof replacement !== 'string') {
        const maxFeePerGas = String(replacement.maxFeePerGas)
        deps.log.warn({ intent: intent.idempotencyKey, nonce: intent.nonce, maxFeePerGas }, 'replaced')
      }
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
