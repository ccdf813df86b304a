import type { Hex } from '../../chain/chainTypes.ts'
import type { PollQuestion } from '../../chain/readPoll.ts'
import { listTracked } from './listTracked.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/** Head of the chain at the last check that found nothing missing; null makes the next check compare all recent blocks. */
export type ForkWatch = { last: { number: number; hash: Hex } | null }

type PollDeps = Pick<RelayerDeps, 'chain' | 'stores' | 'policy'>

/**
 * Lists what a round will ask about: the receipts of the transactions in flight, the block of the last check for a fork, and
 * the blocks of transactions that are about to be final. The round requests anything else that it needs by itself.
 */
export async function preparePoll(
  { chain, stores, policy }: PollDeps,
  { last }: ForkWatch,
): Promise<PollQuestion> {
  const intents = await listTracked(stores)
  const newestFinal = last === null ? Number.POSITIVE_INFINITY : last.number + 2 - policy.confirmations
  const blocks = intents.flatMap(({ minedBlock }) =>
    minedBlock !== null && minedBlock <= newestFinal ? [minedBlock] : [],
  )
  const mined = intents.flatMap(({ minedHash }) => (minedHash === null ? [] : [minedHash]))
  const signed = await stores.transactions.hashesOf(intents.map(({ id }) => id))
  return {
    addresses: chain.relayers,
    blocks: [...new Set(last === null ? blocks : [last.number, ...blocks])],
    hashes: [...new Set([...mined, ...signed])] as Hex[],
  }
}
