import type { Fees } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { costGwei } from './costGwei.ts'
import { firstFees } from './fees.ts'
import { handlerOf } from './handlerOf.ts'
import type { Preparation } from './intentHandler.ts'
import { ANCHORING_KINDS, type IntentKind } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './round.ts'
import { shielded } from './shielded.ts'
import { spareBudget } from './spareBudget.ts'
import { tellTakenBack } from './tellTakenBack.ts'

/** Transactions that may be on their way at once: nodes keep few of one account, and each waits for the ones before. */
const IN_FLIGHT_MAX = 16
const QUEUED_MAX = 100
/** More than there can be, of all accounts. */
const SENT_MAX = 100
/** Anchors go one after another, so a look at more of them would only keep the others from being looked at. */
const ANCHORING_MAX = 10

/** Before all others, and beyond those that may be on their way: they are not mined while the gap is there. */
const GAP: IntentKind = 'nonce.fill'
const ANCHOR: IntentKind = 'audit.anchor'

/**
 * Takes queued intents, gaps and anchors first and each oldest first, and gives each its nonce and its signed transaction, in
 * one commit, before anything is sent. Stops when enough are on their way, and when gas or the day's budget do not
 * allow more.
 *
 * Source: onchain.md "Relayer".
 *
 * @returns How many intents moved.
 */
export async function prepareIntents(deps: RelayerDeps, round: Round): Promise<number> {
  const { outbox } = deps.stores
  // For good: the first nonce that is signed hides those that nobody knows of, and the round ends at some intent.
  if (round.context.mustLook) await deps.fenced((trx) => outbox.distrustQueued(trx, deps.clock()))
  const queued = [
    ...(await outbox.open(['queued'], ANCHORING_MAX, { only: [GAP] })),
    ...(await outbox.open(['queued'], ANCHORING_MAX, { only: [ANCHOR] })),
    ...(await outbox.open(['queued'], QUEUED_MAX, { except: ANCHORING_KINDS })),
  ]
  if (queued.length === 0) return 0
  const fees = firstFees(round.market)
  const onTheirWay = await outbox.open(['signed', 'sent'], SENT_MAX)
  // What a former account left behind holds up nothing of this one, and may never be mined.
  let room = IN_FLIGHT_MAX - onTheirWay.filter(({ sender }) => sender === deps.chain.relayerAddress).length
  const held = new Set<string>()
  let moved = 0
  for (const intent of queued) {
    if (room <= 0 && intent.kind !== GAP) break
    if (held.has(intent.kind)) continue
    const handler = handlerOf(deps.handlers, intent)
    const isDue = intent.nextAttemptAt <= round.context.now
    const prepare = () => handler.prepare(intent, contextOf(round, intent))
    const prepared = isDue ? await shielded(deps, intent, prepare, null) : null
    if (prepared === null || prepared.next === 'wait') {
      if (handler.isOrdered) held.add(intent.kind)
      if (prepared && prepared.retryMs > 0) await defer(deps, intent, prepared.why, prepared.retryMs)
      continue
    }
    if (prepared.next === 'send') {
      const refusal = await reserve(deps, round, intent, prepared, fees)
      if (refusal !== null) {
        await defer(deps, intent, refusal, BUDGET_RETRY_MS)
        break
      }
      room -= 1
    } else await settleUnsent(deps, round, intent, prepared)
    moved += 1
  }
  return moved
}

const BUDGET_RETRY_MS = 10_000

/** What had a nonce before may be on chain by another way than the outbox knows. */
function contextOf(round: Round, intent: Intent) {
  return { ...round.context, mustLook: round.context.mustLook || intent.attempts > 0 }
}

async function defer(deps: RelayerDeps, intent: Intent, why: string, retryMs: number): Promise<void> {
  const now = deps.clock()
  deps.log.warn({ intent: intent.idempotencyKey }, why)
  await deps.fenced((trx) =>
    deps.stores.outbox.defer(trx, intent.id, { lastError: why, nextAttemptAt: now + retryMs }, now),
  )
}

/** @returns Null, or why nothing may be spent now. */
async function reserve(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  { call, gas }: Extract<Preparation, { next: 'send' }>,
  fees: Fees | null,
): Promise<string | null> {
  const { chain, stores } = deps
  const sender = chain.relayerAddress
  if (fees === null) return `gas costs ${round.market.baseFee} wei, more than allowed`
  // A little more than was needed just now: the state may have changed when it is mined.
  const gasLimit = (gas * 5n) / 4n
  const cost = costGwei(gasLimit * fees.maxFeePerGas)
  const spare = await spareBudget(deps, intent.kind)
  if (spare !== null && cost > spare) return 'the daily budget is spent'
  const nonce = await freeNonce(deps, round)
  const signed = await chain.sign(call, {
    ...fees,
    gas: gasLimit,
    nonce,
    chainId: round.deployment.chainId,
  })
  const now = deps.clock()
  await deps.fenced(async (trx) => {
    await stores.outbox.reserve(trx, intent.id, { sender, nonce }, now)
    await stores.transactions.insert(trx, intent.id, {
      ...signed,
      ...fees,
      sender,
      nonce,
      costGwei: cost,
      signedAt: now,
      sentAt: null,
    })
  })
  return null
}

/** The lowest nonce that neither the chain nor any signed transaction has: a gap closes by itself. */
async function freeNonce({ chain, stores }: RelayerDeps, round: Round): Promise<number> {
  const signed = await stores.transactions.noncesFrom(chain.relayerAddress, round.nextNonce)
  let nonce = round.nextNonce
  for (const taken of signed) {
    if (taken !== nonce) break
    nonce += 1
  }
  return nonce
}

async function settleUnsent(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  prepared: Extract<Preparation, { next: 'adopt' | 'fail' }>,
): Promise<void> {
  const handler = handlerOf(deps.handlers, intent)
  const { outbox } = deps.stores
  const now = deps.clock()
  if (prepared.next === 'fail') {
    deps.log.warn({ intent: intent.idempotencyKey, why: prepared.why }, 'refused for good')
    await deps.fenced(async (trx) => {
      await handler.whenFailed?.(trx, intent, round.context)
      await outbox.markFailed(trx, intent.id, prepared.why, now)
    })
    await tellTakenBack(deps, intent)
    return
  }
  const { place, result } = prepared
  deps.log.info({ intent: intent.idempotencyKey, hash: place.hash }, 'found on chain')
  await deps.fenced(async (trx) => {
    await outbox.markMined(trx, intent.id, { ...place, result }, now)
    await handler.whenMined?.(trx, { intent, place, result })
  })
}
