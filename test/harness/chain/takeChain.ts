import { createChainPool } from './createChainPool.ts'

/** A chain at its first block, out of the pool of this process. */
export async function takeChain() {
  return (await pool()).chain
}

const pool = createChainPool(async () => undefined)
