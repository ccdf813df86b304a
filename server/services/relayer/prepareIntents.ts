import { type Fees, proposeFees } from '@svc/core/fees.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { BUDGET_SPENT, findSpentBudget, paysForOrdinary, TOO_DEAR_TODAY, toGwei } from './budget.ts'
import { isolateFailure } from './failures.ts'
import { findAccount } from './findAccount.ts'
import { handlerOf, type Preparation } from './intentHandler.ts'
import { ANCHORING_KINDS, GAP } from './intents.ts'
import { notifyUndone } from './notifications.ts'
import { readQueue } from './readQueue.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { AccountNonces, Round } from './startRound.ts'

/** Nodes accept few pending transactions of one account, each of which waits for the ones before it. */
const IN_FLIGHT_MAX = 16
/** More than all accounts can have in flight. */
const SENT_MAX = 100

/**
 * Prepares queued intents in the order of `readQueue`; `which` leaves out those that do not anchor batches, or those that
 * do. Each intent gets its nonce and its signed transaction in one commit, before anything is sent. Stops when enough
 * transactions are in flight, or when the gas price or the daily budget does not allow another one. Intents for strangers,
 * an account or a network wait, and only they, while their share of the budget is spent, and so does one that costs more
 * than what is left of the day. Kinds that only a later release knows wait for a relayer of that release.
 *
 * @returns How many intents moved.
 */
export async function prepareIntents(
  deps: RelayerDeps,
  round: Round,
  which?: 'anchoring' | 'others',
): Promise<number> {
  const { outbox } = deps.stores
  // Recorded in the database: signing the first nonce hides the unknown ones, and this round may not reach every intent.
  if (round.context.mustSearch) await deps.whileLeaseHeld((trx) => outbox.distrustQueued(trx, deps.clock()))
  const isAnchoring = ({ kind }: Intent) => ANCHORING_KINDS.some((anchoring) => anchoring === kind)
  const isKnown = ({ kind }: Intent) => Object.hasOwn(deps.handlers, kind)
  const queued = (await readQueue(deps, round.context.now)).filter(
    (intent) => isKnown(intent) && (which === undefined || isAnchoring(intent) === (which === 'anchoring')),
  )
  if (queued.length === 0) return 0
  const fees = proposeFees(round.market)
  const inFlight = await outbox.open(['signed', 'sent'], SENT_MAX)
  // Transactions of another account block nothing of this one, and may never be mined.
  const countOf = (address: Hex) => inFlight.filter(({ sender }) => sender === address).length
  const room = new Map(deps.chain.relayers.map((address) => [address, IN_FLIGHT_MAX - countOf(address)]))
  const blocked = new Set<string>()
  const waiting = { strangers: false, accountIds: new Set<string>(), networks: new Set<string>() }
  let moved = 0
  for (const intent of queued) {
    const isFull = (address: Hex) => intent.kind !== GAP && (room.get(address) ?? 0) <= 0
    if ([...room.keys()].every(isFull)) break
    const handler = handlerOf(deps.handlers, intent)
    const order = handler.orderOf?.(intent) ?? intent.kind
    if (blocked.has(order) || isWaiting(waiting, intent)) continue
    const isDue = intent.nextAttemptAt <= round.context.now
    // A handler asks the node several times, which is in vain if the only account that it uses is full.
    const canSend = handler.choosesSender || !isFull(round.sender)
    const prepare = () => handler.prepare(intent, contextFor(round, intent))
    const prepared = isDue && canSend ? await isolateFailure(deps, intent, prepare, null) : null
    if (prepared === null || prepared.next === 'wait') {
      if (handler.isOrdered) blocked.add(order)
      if (prepared && prepared.retryMs > 0) await defer(deps, intent, prepared.why, prepared.retryMs)
      continue
    }
    if (prepared.next === 'send') {
      const sender = prepared.from ?? round.sender
      if (isFull(sender)) {
        if (handler.isOrdered) blocked.add(order)
        continue
      }
      const refusal = await reserve(deps, round, intent, prepared, fees)
      if (refusal !== null) {
        if (handler.isOrdered) blocked.add(order)
        const isTooDear = refusal === TOO_DEAR_TODAY
        await defer(deps, intent, refusal, isTooDear ? TOO_DEAR_RETRY_MS : BUDGET_RETRY_MS)
        if (!isTooDear && !markWaiting(waiting, intent, refusal)) break
        continue
      }
      room.set(sender, (room.get(sender) ?? 0) - 1)
    } else await settleUnsent(deps, round, intent, prepared)
    moved += 1
  }
  return moved
}

const BUDGET_RETRY_MS = 10_000
/** Longer, because each of them is simulated each time. */
const TOO_DEAR_RETRY_MS = 60_000

/** Whose share of the budget was found spent in this round. */
type Waiting = { strangers: boolean; accountIds: Set<string>; networks: Set<string> }

type Payers = Pick<Intent, 'strangerId' | 'accountId' | 'network'>

function isWaiting(waiting: Waiting, { strangerId, accountId, network }: Payers): boolean {
  return (
    (waiting.strangers && strangerId !== null) ||
    waiting.accountIds.has(accountId ?? '') ||
    waiting.networks.has(network ?? '')
  )
}

/** Notes whose share is spent; false if the refusal concerns everybody. */
function markWaiting(waiting: Waiting, { accountId, network }: Payers, refusal: string): boolean {
  if (refusal === BUDGET_SPENT.strangers) waiting.strangers = true
  else if (refusal === BUDGET_SPENT.account && accountId !== null) waiting.accountIds.add(accountId)
  else if (refusal === BUDGET_SPENT.network && network !== null) waiting.networks.add(network)
  else return false
  return true
}

/** An intent that has had a nonce before may be on chain by a transaction that the outbox no longer associates with it. */
function contextFor(round: Round, intent: Intent) {
  return { ...round.context, mustSearch: round.context.mustSearch || intent.attempts > 0 }
}

async function defer(deps: RelayerDeps, intent: Intent, why: string, retryMs: number): Promise<void> {
  const now = deps.clock()
  deps.log.warn({ intent: intent.idempotencyKey }, why)
  await deps.whileLeaseHeld((trx) =>
    deps.stores.outbox.defer(trx, intent.id, { lastError: why, nextAttemptAt: now + retryMs }, now),
  )
}

/** Reserves a nonce and stores the signed transaction. @returns Null, or the reason why nothing may be spent. */
async function reserve(
  deps: RelayerDeps,
  round: Round,
  intent: Intent,
  { call, gas, from: sender = round.sender }: Extract<Preparation, { next: 'send' }>,
  fees: Fees | null,
): Promise<string | null> {
  const { chain, stores } = deps
  if (fees === null) return `gas costs ${round.market.baseFee} wei, more than allowed`
  // With a margin, because the state may have changed when the transaction is mined.
  const gasLimit = (gas * 5n) / 4n
  const cost = toGwei(gasLimit * fees.maxFeePerGas)
  const spent = await findSpentBudget(deps, intent, cost)
  if (spent !== null) {
    // What does not even pay for an ordinary mint is spent for everybody, whoever asks.
    if (!(await paysForOrdinary(deps, intent, fees))) return BUDGET_SPENT.day
    return spent === 'day' ? TOO_DEAR_TODAY : BUDGET_SPENT[spent]
  }
  const account = findAccount(round, sender)
  if (account === null) throw new Error(`there is no key of ${sender}`)
  const nonce = await findFreeNonce(deps, account)
  const given = { ...fees, gas: gasLimit, nonce, chainId: round.deployment.chainId }
  const signed = await chain.sign(call, given, sender)
  const now = deps.clock()
  await deps.whileLeaseHeld(async (trx) => {
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

/** Returns the lowest nonce that neither the chain nor any signed transaction has used, which closes gaps. */
async function findFreeNonce({ stores }: RelayerDeps, { sender, nextNonce }: AccountNonces): Promise<number> {
  const signed = await stores.transactions.noncesFrom(sender, nextNonce)
  let nonce = nextNonce
  for (const used of signed) {
    if (used !== nonce) break
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
    deps.log.warn({ intent: intent.idempotencyKey, why: prepared.why }, 'failed permanently')
    await deps.whileLeaseHeld(async (trx) => {
      await handler.whenFailed?.(trx, intent, round.context)
      await outbox.markFailed(trx, intent.id, prepared.why, now)
    })
    await notifyUndone(deps, intent)
    return
  }
  const { place, result } = prepared
  deps.log.info({ intent: intent.idempotencyKey, hash: place.hash }, 'found on chain')
  await deps.whileLeaseHeld(async (trx) => {
    await outbox.markMined(trx, intent.id, { ...place, result }, now)
    await handler.whenMined?.(trx, { intent, place, result })
  })
}
