import type { EventPosition, Hex } from './chainTypes.ts'

/** Where on chain an event is that the node tells of. */
export function eventPositionOf(log: { transactionHash: Hex; blockNumber: bigint; blockHash: Hex }): EventPosition {
  return { hash: log.transactionHash, block: Number(log.blockNumber), blockHash: log.blockHash }
}
