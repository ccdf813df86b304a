import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { SignedTransaction } from '../../store/relayer/transactionStore.ts'
import { costGwei } from './costGwei.ts'
import { replacementFees } from './fees.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { retryPause } from './retryPause.ts'
import type { Round } from './round.ts'
import { spareBudget } from './spareBudget.ts'

const SENT_MAX = 100

/**
 * Hands signed transactions to the node: new ones, those it may have dropped, and, when the one that all others wait
 * for is not mined in time, a dearer one in its place.
 *
 * In the order of their nonces, which is not the order in which they were asked for: a node may refuse one that comes
 * before its turn. One that says "already known" or "nonce too low" has it, or had it: the next look at receipts
 * tells.
 * Source: onchain.md "Relayer".
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
    // Some nodes take nothing whose fee is below what a block costs now: such a one only waits, and so do all behind it.
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

/** @param lastError What to note although the node takes it. */
async function send(
  deps: RelayerDeps,
  intent: Intent,
  transaction: SignedTransaction,
  lastError: string | null = null,
): Promise<number> {
  const { outbox, transactions } = deps.stores
  const answer = await deps.chain.send(transaction.raw as Hex)
  const now = deps.clock()
  if (answer.outcome === 'nonceTooHigh') {
    // The one before it is on its way, or was lost and is sent again in its time; then it is this one's turn at once.
    const lastError = `the node wants the transactions before nonce ${transaction.nonce} first`
    await deps.fenced((trx) => outbox.defer(trx, intent.id, { lastError, nextAttemptAt: now }, now))
    return 0
  }
  if (answer.outcome === 'insufficientFunds' || answer.outcome === 'rejected') {
    const lastError = `${answer.outcome}: ${answer.message}`
    const nextAttemptAt = now + retryPause(5)
    deps.log.warn({ intent: intent.idempotencyKey, nonce: transaction.nonce }, lastError)
    await deps.fenced((trx) => outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
    return 0
  }
  await deps.fenced(async (trx) => {
    await outbox.markSent(trx, intent.id, now)
    await transactions.markSent(trx, transaction.hash, now)
    if (lastError !== null) await outbox.defer(trx, intent.id, { lastError, nextAttemptAt: now }, now)
  })
  return 1
}

/** A dearer transaction for the same nonce, stored; null when it is not time or not ours; or why it is too dear. */
async function replace(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  former: SignedTransaction,
): Promise<SignedTransaction | string | null> {
  const now = deps.clock()
  const isBlocking = former.sender === deps.chain.relayerAddress && former.nonce <= round.nextNonce
  if (!isBlocking || now - former.signedAt < deps.policy.replaceMs) return null
  const fees = replacementFees(former, round.market)
  if (fees === null) return 'a dearer replacement would cost more than allowed'
  const { raw, hash, gas } = await deps.chain.signWithFees(former.raw as Hex, fees)
  const cost = costGwei(gas * fees.maxFeePerGas)
  const spare = await spareBudget(deps)
  if (spare !== null && cost - former.costGwei > spare) return 'the daily budget is spent'
  const { sender, nonce } = former
  const dearer = { hash, raw, sender, nonce, ...fees, costGwei: cost, signedAt: now, sentAt: null }
  await deps.fenced(async (trx) => {
    await deps.stores.outbox.markReplaced(trx, intent.id, now)
    await deps.stores.transactions.insert(trx, intent.id, dearer)
  })
  deps.log.warn({ intent: intent.idempotencyKey, nonce, maxFeePerGas: String(fees.maxFeePerGas) }, 'replaced')
  return dearer
}
