import type { PublicClient, Block as ViemBlock } from 'viem'
import type { Block } from './chainTypes.ts'

/**
 * Reads a block that every node has: the latest, or the one with a number.
 *
 * @throws Error if the node has no such block, or returns one that is pending or has no base fee.
 */
export async function requireBlock(node: PublicClient, number?: number): Promise<Block> {
  return blockOf(await node.getBlock(number === undefined ? {} : { blockNumber: BigInt(number) }))
}

function blockOf(block: ViemBlock): Block {
  if (block.number === null || block.hash === null) throw new Error('the node returned a pending block')
  if (block.baseFeePerGas === null) throw new Error('the chain has no base fee (EIP-1559)')
  return {
    number: Number(block.number),
    hash: block.hash,
    timestamp: Number(block.timestamp),
    baseFeePerGas: block.baseFeePerGas,
  }
}
