import { raiseFees } from '@svc/core/fees.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { SignedTransaction, StoredTransaction } from '../../store/relayer/transactionStore.ts'
import { backOffMs } from './failures.ts'
import type { Trx } from './intentHandler.ts'
import { GAP } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { replaceTransaction } from './replaceTransaction.ts'
import type { Round } from './startRound.ts'

const SENT_MAX = 100
/** How the outcome that a node rejects a transaction is recorded. */
const REJECTED = 'rejected'
/** How many transactions with rising fees are tried before an empty one. */
const REJECTED_MAX = 3

/**
 * Sends signed transactions to the node: new ones, those that the node may have dropped, and a replacement with higher fees
 * if the one that blocks all others is not mined in time or rejected. One that is rejected at any price is replaced by an
 * empty transaction (docs/decisions/0168).
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
    const signed = await deps.stores.transactions.ofIntent(intent.id, intent.nonce)
    const [newest] = signed
    if (newest === undefined) continue
    const now = deps.clock()
    if (intent.nextAttemptAt > now) continue
    // A fee below the base fee is refused by some nodes and leaves the transaction, and all behind it, waiting in others.
    const isCheap = newest.maxFeePerGas < round.market.baseFee
    const isRejected = intent.lastError?.startsWith(REJECTED) === true
    if (intent.status === 'signed' && !isCheap && !isRejected) {
      sent += await send(deps, intent, newest)
    } else if (intent.status === 'signed' || now - (newest.sentAt ?? 0) >= deps.policy.resendMs) {
      const alsoWrite = (trx: Trx) => deps.stores.outbox.markReplaced(trx, intent.id, now)
      const isEmpty = isRejected && isHopeless(deps, round, intent, signed)
      const replacement = await replaceTransaction(deps, round, newest, { alsoWrite, isEmpty })
      if (replacement !== null && typeof replacement !== 'string') {
        const maxFeePerGas = String(replacement.maxFeePerGas)
        const fields = { intent: intent.idempotencyKey, nonce: intent.nonce, maxFeePerGas }
        deps.log.warn(fields, isEmpty ? 'replaced by an empty transaction' : 'replaced')
      }
      if (typeof replacement !== 'string') sent += await send(deps, intent, replacement ?? newest)
      else sent += await send(deps, intent, newest, replacement)
    }
  }
  return sent
}

/**
 * Whether a transaction has been rejected so often, at the present price of gas and above, that its fees cannot be the
 * reason. Its nonce blocks every other transaction, so it is used up without the call, and the intent is prepared again once
 * that is final: until then one of the rejected transactions may be mined all the same.
 */
function isHopeless(
  { chain, policy, clock }: RelayerDeps,
  { market }: Round,
  intent: Intent,
  signed: readonly StoredTransaction[],
): boolean {
  const accepted = signed.findIndex(({ sentAt }) => sentAt !== null)
  const rejected = accepted === -1 ? signed : signed.slice(0, accepted)
  const [newest, oldest] = [rejected.at(0), rejected.at(-1)]
  if (newest === undefined || oldest === undefined) return false
  if (clock() - oldest.signedAt < REJECTED_MAX * policy.replaceMs) return false
  if (rejected.length < REJECTED_MAX && raiseFees(newest, market) !== null) return false
  return intent.kind !== GAP && !chain.isEmpty(newest.raw as Hex, newest.sender)
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
