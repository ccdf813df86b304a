import { type LocalChain, startLocalChain } from '../../../server/chain/localChain.ts'
import { createRpc } from './createRpc.ts'

/** A chain of a pool, and what was prepared with it. */
export type PooledChain<Prepared> = { chain: LocalChain; prepared: Prepared }

/**
 * Development chains of this process for services that are started after one another: a Hardhat node takes a second to
 * load, and a moment to go back to where it was when it had been prepared.
 *
 * Stopping one gives it back, mining each transaction at once again. What else a node forgets only with its process, no
 * test may change.
 *
 * @param prepare What is done to each chain once, after its first block.
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

  /** One that a test ended, with all that this process started, is left out. */
  function take() {
    for (let pooled = idle.pop(); pooled !== undefined; pooled = idle.pop()) {
      if (pooled.chain.isRunning()) return pooled
    }
    return start()
  }

  return async () => {
    const { chain, prepared, snapshot } = await take()
    let isGivenBack = false
    return {
      prepared,
      chain: {
        url: chain.url,
        unref: chain.unref,
        isRunning: () => !isGivenBack && chain.isRunning(),
        async stop() {
          if (isGivenBack || !chain.isRunning()) return
          isGivenBack = true
          const rpc = createRpc(chain.url)
          await rpc('evm_setAutomine', [true])
          await rpc('evm_revert', [snapshot])
          idle.push({ chain, prepared, snapshot: await rpc('evm_snapshot') })
        },
      },
    }
  }
}
