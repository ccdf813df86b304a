import type { Hex, Receipt } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { toGwei } from './budget.ts'
import { backOffMs, isolateFailure } from './failures.ts'
import { findAccount } from './findAccount.ts'
import { handlerOf } from './intentHandler.ts'
import { GAP } from './intents.ts'
import { listTracked } from './listTracked.ts'
import { notifyUndone } from './notifications.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './startRound.ts'

/** How `sendIntents` records that an account cannot pay. */
const UNPAID = 'insufficientFunds'
/** Number of reverts, each of which costs gas, after which an intent fails. */
const ATTEMPTS_MAX = 8

/**
 * Looks up the receipt of every transaction that may be on chain, and moves its intent: sent → mined → confirmed, back to
 * sent if its block has left the chain, or back to queued if another transaction has permanently used its nonce.
 *
 * Any transaction ever signed for the nonce may be the mined one, so the receipts of all are requested.
 *
 * @returns How many intents moved.
 */
export async function trackIntents(deps: RelayerDeps, round: Round): Promise<number> {
  let moved = 0
  for (const intent of await listTracked(deps.stores)) {
    moved += await isolateFailure(deps, intent, () => trackIntent(deps, round, intent), 0)
  }
  return moved
}

async function trackIntent(deps: RelayerDeps, round: Round, intent: Intent): Promise<number> {
  const receipt = await findReceipt(deps, round, intent)
  if (receipt === null) return await handleMissingReceipt(deps, round, intent)
  if (intent.minedBlockHash !== receipt.blockHash) return await recordMined(deps, round, intent, receipt)
  return await confirmIfFinal(deps, round, intent, receipt)
}

async function findReceipt(deps: RelayerDeps, round: Round, intent: Intent): Promise<Receipt | null> {
  const hashes = intent.status === 'mined' ? [intent.minedHash as Hex] : []
  if (intent.nonce !== null) {
    const signed = await deps.stores.transactions.ofIntent(intent.id, intent.nonce)
    hashes.push(...signed.map(({ hash }) => hash as Hex).filter((hash) => hash !== hashes[0]))
  }
  for (const hash of hashes) {
    const receipt = await readReceipt(deps, round, intent, hash)
    if (receipt) return receipt
  }
  return null
}

/**
 * Returns the receipt that the round has read already. A missing one is read again if a conclusion depends on it, because
 * the nonce was used or a block has left the chain: the first reading may be older than the head.
 */
async function readReceipt(
  { chain }: RelayerDeps,
  round: Round,
  intent: Intent,
  hash: Hex,
): Promise<Receipt | null> {
  const known = round.receipts.get(hash)
  const isWaiting = intent.status !== 'mined' && !isNonceUsed(round, intent)
  return known === undefined || (known === null && !isWaiting) ? await chain.readReceipt(hash) : known
}

/** Whether a block may contain the nonce; the nonces of an account whose key is gone are unknown. */
function isNonceUsed(round: Round, { sender, nonce }: Intent): boolean {
  const account = findAccount(round, sender)
  return nonce !== null && (account === null || nonce < account.nextNonce)
}

async function handleMissingReceipt(deps: RelayerDeps, round: Round, intent: Intent): Promise<number> {
  const { stores, log } = deps
  const now = deps.clock()
  if (intent.status === 'mined') {
    log.warn(
      { intent: intent.idempotencyKey, block: intent.minedBlock },
      'a mined transaction has left the chain',
    )
    await deps.whileLeaseHeld(async (trx) => {
      await stores.outbox.markUnmined(trx, intent, now)
      await handlerOf(deps.handlers, intent).whenUnmined?.(trx, intent, now)
    })
    await notifyUndone(deps, intent)
    return 1
  }
  const account = findAccount(round, intent.sender)
  const isFinishing = account !== null && !intent.lastError?.startsWith(UNPAID)
  const isOfFormerAccount = intent.sender !== null && intent.sender !== round.sender
  if (isOfFormerAccount && !isFinishing && handlerOf(deps.handlers, intent).isOrdered) {
    // The log has a new operator, and nobody can replace the transaction. It must not block the next one.
    return await requeue(deps, intent, `the account ${intent.sender} is no longer the relayer`)
  }
  const finalNonce = account?.finalNonce ?? (await readFinalNonce(deps, round, intent))
  if (intent.nonce === null || intent.nonce >= finalNonce) return 0
  const lastError = `nonce ${intent.nonce} was used by another transaction`
  if (!(await isPermanentlyLost(deps, round, { intent, lastError }))) return 0
  log.warn({ intent: intent.idempotencyKey, nonce: intent.nonce }, lastError)
  return await requeue(deps, intent, lastError)
}

/** Queues the intent to be prepared again at once, with another nonce. */
async function requeue(
  { stores, whileLeaseHeld, clock }: RelayerDeps,
  intent: Intent,
  lastError: string,
): Promise<number> {
  const now = clock()
  await whileLeaseHeld((trx) => stores.outbox.requeue(trx, intent.id, { lastError, nextAttemptAt: now }, now))
  return 1
}

/**
 * Whether a missing receipt proves that the transaction is lost. Several nodes can share one URL, and one that lags has no
 * receipt of a transaction that another one reports as final; sending it again would put it on chain twice. So the receipt
 * must stay missing for a while, and the node must know the round's head block.
 */
async function isPermanentlyLost(
  { stores, chain, whileLeaseHeld, policy, clock }: RelayerDeps,
  { head }: Round,
  { intent, lastError }: { intent: Intent; lastError: string },
): Promise<boolean> {
  const now = clock()
  if (intent.lastError === lastError) {
    return intent.nextAttemptAt <= now && (await chain.readBlockHash(head.number)) === head.hash
  }
  const nextAttemptAt = now + policy.resendMs
  await whileLeaseHeld((trx) => stores.outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
  return false
}

/** After a change of the key, there may be transactions left of an account whose key is gone. */
async function readFinalNonce({ chain }: RelayerDeps, round: Round, { sender }: Intent): Promise<number> {
  if (sender === null) return round.finalNonce
  return await chain.readTransactionCount(sender as Hex, round.finalBlock)
}

async function recordMined(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  receipt: Receipt,
): Promise<number> {
  const { outbox, transactions } = deps.stores
  const handler = handlerOf(deps.handlers, intent)
  const isDone = await hasDoneIt(deps, intent, receipt)
  const result = isDone ? (handler.resultOf?.(receipt, round.context) ?? null) : null
  const { hash, block, blockHash } = receipt
  const now = deps.clock()
  await deps.whileLeaseHeld(async (trx) => {
    await outbox.markMined(trx, intent.id, { hash, block, blockHash, result }, now)
    if (isDone) await handler.whenMined?.(trx, { intent, place: receipt, result })
    else await handler.whenUnmined?.(trx, intent, now)
    if (intent.sender === null || intent.nonce === null) return
    const { sender, nonce } = intent
    await transactions.settleCost(trx, { sender, nonce, costGwei: toGwei(receipt.cost) })
  })
  return 1
}

async function confirmIfFinal(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  receipt: Receipt,
): Promise<number> {
  if (round.head.number - receipt.block + 1 < deps.policy.confirmations) return 0
  // A node may still have receipts from blocks that a reorganisation has removed.
  const known = round.blockHashes.get(receipt.block)
  const canonicalHash = known === undefined ? await deps.chain.readBlockHash(receipt.block) : known
  if (canonicalHash === null) return 0
  if (canonicalHash !== receipt.blockHash) return await handleMissingReceipt(deps, round, intent)
  const { outbox } = deps.stores
  const handler = handlerOf(deps.handlers, intent)
  const now = deps.clock()
  if (!(await hasDoneIt(deps, intent, receipt))) {
    await deps.whileLeaseHeld((trx) =>
      receipt.succeeded ? queueAgain(deps, intent, trx, now) : recordRevert(deps, round, intent, trx, now),
    )
    await notifyUndone(deps, intent)
    return 1
  }
  await deps.whileLeaseHeld(async (trx) => {
    await handler.whenConfirmed?.(trx, { intent, place: receipt, result: intent.result }, round.context)
    await outbox.markConfirmed(trx, intent.id, now)
    if (!handler.notifyConfirmed) await outbox.settle(trx, intent.id, now)
  })
  deps.log.info({ intent: intent.idempotencyKey, hash: receipt.hash, block: receipt.block }, 'confirmed')
  return 1
}

/** Whether a mined transaction made the intent's call, and not only used up its nonce because nodes rejected the call. */
async function hasDoneIt(
  { stores, chain }: RelayerDeps,
  intent: Intent,
  { hash, succeeded }: Receipt,
): Promise<boolean> {
  if (!succeeded || intent.nonce === null || intent.kind === GAP) return succeeded
  const signed = await stores.transactions.ofIntent(intent.id, intent.nonce)
  const mined = signed.find((transaction) => transaction.hash === hash)
  return mined === undefined || !chain.isEmpty(mined.raw as Hex, mined.sender)
}

/** Queues an intent whose call nodes rejected. It is not given up, because that may be the fault of the nodes. */
async function queueAgain(
  { stores, log }: RelayerDeps,
  intent: Intent,
  trx: Parameters<Parameters<RelayerDeps['whileLeaseHeld']>[0]>[0],
  now: number,
): Promise<void> {
  const lastError = `nonce ${intent.nonce} was used up, because the node rejected the call`
  log.warn({ intent: intent.idempotencyKey, attempts: intent.attempts }, lastError)
  const nextAttemptAt = now + backOffMs(intent.attempts - 1)
  await stores.outbox.requeue(trx, intent.id, { lastError, nextAttemptAt }, now)
}

async function recordRevert(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  trx: Parameters<Parameters<RelayerDeps['whileLeaseHeld']>[0]>[0],
  now: number,
): Promise<void> {
  const { outbox } = deps.stores
  const handler = handlerOf(deps.handlers, intent)
  const lastError = `transaction ${intent.minedHash} was reverted`
  deps.log.warn({ intent: intent.idempotencyKey, attempts: intent.attempts }, lastError)
  if (intent.attempts < ATTEMPTS_MAX || handler.isOrdered) {
    const nextAttemptAt = now + backOffMs(intent.attempts - 1)
    await outbox.requeue(trx, intent.id, { lastError, nextAttemptAt }, now)
    return
  }
  await handler.whenFailed?.(trx, intent, round.context)
  await outbox.markFailed(trx, intent.id, lastError, now)
}
