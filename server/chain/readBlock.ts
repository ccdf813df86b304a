import { BlockNotFoundError, type PublicClient } from 'viem'
import type { Block } from './chainTypes.ts'
import { requireBlock } from './requireBlock.ts'

/** Reads a block by its number; null if the node has no such block. */
export async function readBlock(node: PublicClient, number: number): Promise<Block | null> {
  try {
    return await requireBlock(node, number)
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null
    throw error
  }
}
