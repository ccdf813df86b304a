import type { Hex } from '../../chain/chainTypes.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { handlerOf } from './handlerOf.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './round.ts'
import { tellTakenBack } from './tellTakenBack.ts'

/** Where the chain ended when it was last found whole; null makes the next look a thorough one. */
export type ForkWatch = { last: { number: number; hash: Hex } | null }

/** Compared at a time; when all of them are lost the next round goes on. */
const COMPARED_MAX = 500

/**
 * Finds what counted as final and is in no block any more, and takes it back: it is tracked and sent again like
 * anything that is on its way.
 *
 * The configured depth is a wager, and a reorganisation can be deeper. While the block of the last look is still
 * there nothing is lost, which one question tells; else the blocks of what was settled lately are compared, from the
 * newest down to the first one that is still there, because all before it are its ancestors. A node that is only
 * behind shows shorter chain with the same blocks, and loses us nothing.
 *
 * @returns How many intents were taken back.
 * Source: onchain.md "Relayer" (reorganisation).
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
  const settled = await newestDone(deps)
  const lost: Intent[] = []
  let isBehind = settled.some(({ minedBlock }) => minedBlock !== null && minedBlock > number)
  for (const intent of settled) {
    if (intent.minedBlock === null || intent.minedBlock > number) continue
    if (lost.at(-1)?.minedBlockHash !== intent.minedBlockHash) {
      const inPlace = await hashAt(deps, round, intent.minedBlock)
      // Behind one address there can be another node, which has less than the one that answered for the head.
      if (inPlace === null) isBehind = true
      if (inPlace === null || inPlace === intent.minedBlockHash) break
    }
    lost.push(intent)
  }
  for (const intent of lost) await reopen(deps, intent)
  watch.last = isBehind || lost.length >= COMPARED_MAX ? null : { number, hash }
  return lost.length
}

/** What counts as final, those of the newest block first; also what somebody is still to be told of. */
async function newestDone({ stores }: RelayerDeps): Promise<Intent[]> {
  const untold = await stores.outbox.open(['confirmed'], COMPARED_MAX)
  const settled = await stores.outbox.newestSettled(COMPARED_MAX)
  return [...untold, ...settled].toSorted((a, b) => (b.minedBlock ?? 0) - (a.minedBlock ?? 0))
}

/** Hash of a block up to the head; null when the node that is asked has none there. */
async function hashAt({ chain }: RelayerDeps, { head }: Round, number: number): Promise<Hex | null> {
  return number === head.number ? head.hash : await chain.readBlockHash(number)
}

async function reopen(deps: RelayerDeps, intent: Intent): Promise<void> {
  const { idempotencyKey: key, minedBlock: block } = intent
  deps.log.warn(
    { intent: key, block },
    'a final transaction is gone: the reorganisation is deeper than expected',
  )
  const now = deps.clock()
  await deps.fenced(async (trx) => {
    await deps.stores.outbox.reopen(trx, intent, now)
    await handlerOf(deps.handlers, intent).whenUnmined?.(trx, intent, now)
  })
  await tellTakenBack(deps, intent)
}
