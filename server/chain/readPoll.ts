import type { PublicClient } from 'viem'
import type { Block, Hex, Receipt } from './chainTypes.ts'
import { readBlock } from './readBlock.ts'
import { requireBlock } from './requireBlock.ts'
import { readReceipt } from './transactions.ts'

/** What a poll asks about, besides the chain itself. */
export type PollQuestion = {
  /** Accounts whose nonces count. */
  addresses: readonly Hex[]
  /** Numbers of blocks. */
  blocks: readonly number[]
  /** Hashes of transactions. */
  hashes: readonly Hex[]
}

/** The state of a chain, read at nearly one moment. */
export type Poll = {
  chainId: number
  genesisHash: Hex
  head: Block
  /** First nonce of each account that has not been mined. */
  nextNonces: ReadonlyMap<Hex, number>
  /** In wei per gas, beyond the base fee. */
  priorityFee: bigint
  /** Hashes of the blocks by number; null if the node has no such block. */
  blockHashes: ReadonlyMap<number, Hex | null>
  /** Receipts by hash; null if there was none. Those that the node could not return are missing. */
  receipts: ReadonlyMap<Hex, Receipt | null>
}

/**
 * Asks a node everything at once: in a single request if the node accepts batches, however many transactions there are.
 *
 * Nodes may answer the calls of a batch in any order, so a receipt that is null may belong to a block that the head
 * includes.
 */
export async function readPoll(
  node: PublicClient,
  { addresses, blocks, hashes }: PollQuestion,
): Promise<Poll> {
  const [chainId, genesis, head, nextNonces, priorityFee, blockHashes, receipts] = await Promise.all([
    node.getChainId(),
    requireBlock(node, 0),
    requireBlock(node),
    Promise.all(
      addresses.map(async (address) => [address, await node.getTransactionCount({ address })] as const),
    ),
    node.estimateMaxPriorityFeePerGas(),
    Promise.all(
      blocks.map(async (number) => [number, (await readBlock(node, number))?.hash ?? null] as const),
    ),
    Promise.allSettled(hashes.map(async (hash) => [hash, await readReceipt(node, hash)] as const)),
  ])
  const known = receipts.flatMap((receipt) => (receipt.status === 'fulfilled' ? [receipt.value] : []))
  return {
    ...{ chainId, genesisHash: genesis.hash, head, priorityFee },
    nextNonces: new Map(nextNonces),
    blockHashes: new Map(blockHashes),
    receipts: new Map(known),
  }
}
