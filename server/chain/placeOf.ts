import type { EventPlace, Hex } from './chainTypes.ts'

/** Where on chain an event is that the node tells of. */
export function placeOf(log: { transactionHash: Hex; blockNumber: bigint; blockHash: Hex }): EventPlace {
  return { hash: log.transactionHash, block: Number(log.blockNumber), blockHash: log.blockHash }
}
