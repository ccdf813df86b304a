import { createChainPool } from './chainPool.ts'

/** A chain at its first block, out of the pool of this process. */
export async function newChain() {
  return (await pool()).chain
}

const pool = createChainPool(async () => undefined)
