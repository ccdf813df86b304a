import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { handlerOf } from './intentHandler.ts'
import { notifyUndone } from './notifications.ts'
import type { ForkWatch } from './preparePoll.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './startRound.ts'

/** Intents compared per round; if all of them are lost, the next round continues. */
const COMPARED_MAX = 500

/**
 * Reopens final intents whose block has left the chain, so that they are tracked and sent again like any others.
 *
 * A reorganisation can be deeper than the configured depth. Nothing is lost while the head of the last check is still on
 * the chain, which takes one request to find out. Otherwise the blocks of recently settled intents are compared, from the
 * newest down to the first that is still there, because all earlier ones are its ancestors. A lagging node has a shorter
 * chain of the same blocks, so nothing counts as lost on its account.
 *
 * @returns How many intents were reopened.
 */
export async function reopenLost(deps: RelayerDeps, round: Round, watch: ForkWatch): Promise<number> {
  const { number, hash } = round.head
  if (
    watch.last &&
    watch.last.number <= number &&
    (await hashAt(deps, round, watch.last.number)) === watch.last.hash
  ) {
    watch.last = { number, hash }
    return 0
  }
  const settled = await listNewestFinal(deps)
  const lost: Intent[] = []
  let isBehind = settled.some(({ minedBlock }) => minedBlock !== null && minedBlock > number)
  for (const intent of settled) {
    if (intent.minedBlock === null || intent.minedBlock > number) continue
    if (lost.at(-1)?.minedBlockHash !== intent.minedBlockHash) {
      const canonicalHash = await hashAt(deps, round, intent.minedBlock)
      // Another node behind the same URL may lag behind the one that returned the head.
      if (canonicalHash === null) isBehind = true
      if (canonicalHash === null || canonicalHash === intent.minedBlockHash) break
    }
    lost.push(intent)
  }
  for (const intent of lost) await reopen(deps, intent)
  watch.last = isBehind || lost.length >= COMPARED_MAX ? null : { number, hash }
  return lost.length
}

/** Lists final intents, newest block first, including those whose confirmation has not been notified. */
async function listNewestFinal({ stores }: RelayerDeps): Promise<Intent[]> {
  const unnotified = await stores.outbox.open(['confirmed'], COMPARED_MAX)
  const settled = await stores.outbox.newestSettled(COMPARED_MAX)
  return [...unnotified, ...settled].toSorted((a, b) => (b.minedBlock ?? 0) - (a.minedBlock ?? 0))
}

/** Returns the hash of a block up to the head; null if the node does not have the block. */
async function hashAt(
  { chain }: RelayerDeps,
  { head, blockHashes }: Round,
  number: number,
): Promise<Hex | null> {
  if (number === head.number) return head.hash
  const known = blockHashes.get(number)
  return known === undefined ? await chain.readBlockHash(number) : known
}

async function reopen(deps: RelayerDeps, intent: Intent): Promise<void> {
  const { idempotencyKey: key, minedBlock: block } = intent
  deps.log.warn(
    { intent: key, block },
    'a final transaction has left the chain: the reorganisation is deeper than expected',
  )
  const now = deps.clock()
  await deps.whileLeaseHeld(async (trx) => {
    await deps.stores.outbox.reopen(trx, intent, now)
    await handlerOf(deps.handlers, intent).whenUnmined?.(trx, intent, now)
  })
  await notifyUndone(deps, intent)
}
