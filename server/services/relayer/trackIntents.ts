import type { Hex, Receipt } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { costGwei } from './costGwei.ts'
import { handlerOf } from './handlerOf.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { retryPause } from './retryPause.ts'
import type { Round } from './round.ts'
import { shielded } from './shielded.ts'
import { tellTakenBack } from './tellTakenBack.ts'

const TRACKED_MAX = 100
/** Reverts after which an intent is given up; each costs gas. */
const ATTEMPTS_MAX = 8

/**
 * Looks up what became of every transaction that may be on chain, and moves its intent: sent → mined → confirmed,
 * back to sent when the block is gone, back to queued when its nonce went to something else, for good.
 *
 * Any transaction ever signed for the nonce can be the one that was mined, so all are asked for.
 * Source: onchain.md "Relayer".
 *
 * @returns How many intents moved.
 */
export async function trackIntents(deps: RelayerDeps, round: Round): Promise<number> {
  const { outbox } = deps.stores
  const intents = [
    // By themselves: were they behind many that wait for their depth, they would be taken for lost and sent again.
    ...(await outbox.open(['signed', 'sent'], TRACKED_MAX)),
    ...(await outbox.open(['mined'], TRACKED_MAX)),
  ]
  let moved = 0
  for (const intent of intents) {
    moved += await shielded(deps, intent, () => trackIntent(deps, round, intent), 0)
  }
  return moved
}

async function trackIntent(deps: RelayerDeps, round: Round, intent: Intent): Promise<number> {
  const known = intent.status === 'mined' ? await deps.chain.readReceipt(intent.minedHash as Hex) : null
  const receipt = known ?? (await findReceipt(deps, intent))
  if (receipt === null) return await withoutReceipt(deps, round, intent)
  if (intent.minedBlockHash !== receipt.blockHash) return await recordMined(deps, round, intent, receipt)
  return await recordFinal(deps, round, intent, receipt)
}

async function findReceipt({ stores, chain }: RelayerDeps, intent: Intent): Promise<Receipt | null> {
  if (intent.nonce === null) return null
  for (const { hash } of await stores.transactions.ofIntent(intent.id, intent.nonce)) {
    const receipt = await chain.readReceipt(hash as Hex)
    if (receipt) return receipt
  }
  return null
}

async function withoutReceipt(deps: RelayerDeps, round: Round, intent: Intent): Promise<number> {
  const { stores, log } = deps
  const now = deps.clock()
  if (intent.status === 'mined') {
    log.warn({ intent: intent.idempotencyKey, block: intent.minedBlock }, 'a mined transaction is gone')
    await deps.fenced(async (trx) => {
      await stores.outbox.markUnmined(trx, intent, now)
      await handlerOf(deps.handlers, intent).whenUnmined?.(trx, intent, now)
    })
    await tellTakenBack(deps, intent)
    return 1
  }
  const isFormer = intent.sender !== null && intent.sender !== deps.chain.relayerAddress
  if (isFormer && handlerOf(deps.handlers, intent).isOrdered) {
    // The log has another operator now: this is refused, or there already, and would hold up all after it for good.
    return await requeue(deps, intent, `the account ${intent.sender} is not the relayer any more`)
  }
  if (intent.nonce === null || intent.nonce >= (await finalNonceOf(deps, round, intent))) return 0
  const lastError = `nonce ${intent.nonce} went to another transaction`
  if (!(await isLostForGood(deps, round, { intent, lastError }))) return 0
  log.warn({ intent: intent.idempotencyKey, nonce: intent.nonce }, lastError)
  return await requeue(deps, intent, lastError)
}

/** To be prepared anew at once, with another nonce. */
async function requeue(
  { stores, fenced, clock }: RelayerDeps,
  intent: Intent,
  lastError: string,
): Promise<number> {
  const now = clock()
  await fenced((trx) => stores.outbox.requeue(trx, intent.id, { lastError, nextAttemptAt: now }, now))
  return 1
}

/**
 * Whether a receipt that is not there says something. Behind one address there can be several nodes, of which one that
 * is behind has no receipt of what another one calls final: what is sent anew on its word is on chain twice. So the
 * node has to know the block that the round acts on, and the receipt is looked for again for a while.
 */
async function isLostForGood(
  { stores, chain, fenced, policy, clock }: RelayerDeps,
  { head }: Round,
  { intent, lastError }: { intent: Intent; lastError: string },
): Promise<boolean> {
  const now = clock()
  if (intent.lastError === lastError) {
    return intent.nextAttemptAt <= now && (await chain.readBlockHash(head.number)) === head.hash
  }
  const nextAttemptAt = now + policy.resendMs
  await fenced((trx) => stores.outbox.defer(trx, intent.id, { lastError, nextAttemptAt }, now))
  return false
}

/** A key that was changed leaves transactions of the former account behind. */
async function finalNonceOf({ chain }: RelayerDeps, round: Round, { sender }: Intent): Promise<number> {
  if (sender === null || sender === chain.relayerAddress) return round.finalNonce
  return await chain.readTransactionCount(sender as Hex, round.deepBlock)
}

async function recordMined(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  receipt: Receipt,
): Promise<number> {
  const { outbox, transactions } = deps.stores
  const handler = handlerOf(deps.handlers, intent)
  const result = receipt.succeeded ? (handler.resultOf?.(receipt, round.context) ?? null) : null
  const { hash, block, blockHash } = receipt
  const now = deps.clock()
  await deps.fenced(async (trx) => {
    await outbox.markMined(trx, intent.id, { hash, block, blockHash, result }, now)
    if (receipt.succeeded) await handler.whenMined?.(trx, { intent, place: receipt, result })
    else await handler.whenUnmined?.(trx, intent, now)
    if (intent.sender === null || intent.nonce === null) return
    const { sender, nonce } = intent
    await transactions.settleCost(trx, { sender, nonce, costGwei: costGwei(receipt.cost) })
  })
  return 1
}

async function recordFinal(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  receipt: Receipt,
): Promise<number> {
  if (round.head.number - receipt.block + 1 < deps.policy.confirmations) return 0
  // A node can keep receipts of blocks that a reorganisation took from it.
  const inPlace = await deps.chain.readBlockHash(receipt.block)
  if (inPlace === null) return 0
  if (inPlace !== receipt.blockHash) return await withoutReceipt(deps, round, intent)
  const { outbox } = deps.stores
  const handler = handlerOf(deps.handlers, intent)
  const now = deps.clock()
  if (!receipt.succeeded) {
    await deps.fenced((trx) => recordRevert(deps, round, intent, trx, now))
    await tellTakenBack(deps, intent)
    return 1
  }
  await deps.fenced(async (trx) => {
    await handler.whenConfirmed?.(trx, { intent, place: receipt, result: intent.result }, round.context)
    await outbox.markConfirmed(trx, intent.id, now)
    if (!handler.tell) await outbox.settle(trx, intent.id, now)
  })
  deps.log.info({ intent: intent.idempotencyKey, hash: receipt.hash, block: receipt.block }, 'confirmed')
  return 1
}

async function recordRevert(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  trx: Parameters<Parameters<RelayerDeps['fenced']>[0]>[0],
  now: number,
): Promise<void> {
  const { outbox } = deps.stores
  const handler = handlerOf(deps.handlers, intent)
  const lastError = `transaction ${intent.minedHash} was reverted`
  deps.log.warn({ intent: intent.idempotencyKey, attempts: intent.attempts }, lastError)
  if (intent.attempts < ATTEMPTS_MAX || handler.isOrdered) {
    const nextAttemptAt = now + retryPause(intent.attempts - 1)
    await outbox.requeue(trx, intent.id, { lastError, nextAttemptAt }, now)
    return
  }
  await handler.whenFailed?.(trx, intent, round.context)
  await outbox.markFailed(trx, intent.id, lastError, now)
}
