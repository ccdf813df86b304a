import { createChainPool } from './createChainPool.ts'

/** Takes a chain at its first block from the pool of this process. */
export async function takeChain() {
  return (await pool()).chain
}

const pool = createChainPool(async () => undefined)
