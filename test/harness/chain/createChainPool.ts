import { type LocalChain, startLocalChain } from '../../../server/chain/localChain.ts'
import { createRpc } from './createRpc.ts'

/** A chain of a pool, with what was prepared on it. */
export type PooledChain<Prepared> = { chain: LocalChain; prepared: Prepared }

/**
 * Creates a pool of development chains that services of this process use one after the other: a Hardhat node takes a
 * second to load, but only a moment to revert to its prepared state.
 *
 * Stopping a chain returns it to the pool, with automine on again. Tests must not change state that a node resets only with
 * its process.
 *
 * @param prepare Runs on each chain once, after its first block.
 */
export function createChainPool<Prepared>(
  prepare: (chain: LocalChain) => Promise<Prepared>,
): () => Promise<PooledChain<Prepared>> {
  const idle: (PooledChain<Prepared> & { snapshot: unknown })[] = []

  async function start() {
    const chain = await startLocalChain(0)
    chain.unref()
    const prepared = await prepare(chain)
    return { chain, prepared, snapshot: await createRpc(chain.url)('evm_snapshot') }
  }

  /** Skips chains that a test has terminated along with everything else this process started. */
  function takeIdleOrStart() {
    for (let pooled = idle.pop(); pooled !== undefined; pooled = idle.pop()) {
      if (pooled.chain.isRunning()) return pooled
    }
    return start()
  }

  return async () => {
    const { chain, prepared, snapshot } = await takeIdleOrStart()
    let isReturned = false
    return {
      prepared,
      chain: {
        url: chain.url,
        unref: chain.unref,
        isRunning: () => !isReturned && chain.isRunning(),
        async stop() {
          if (isReturned || !chain.isRunning()) return
          isReturned = true
          const rpc = createRpc(chain.url)
          await rpc('evm_setAutomine', [true])
          await rpc('evm_revert', [snapshot])
          idle.push({ chain, prepared, snapshot: await rpc('evm_snapshot') })
        },
      },
    }
  }
}
