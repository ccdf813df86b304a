import { type LocalChain, startLocalChain } from '../../server/chain/localChain.ts'
import { rpcOf } from './rpcOf.ts'

/** Development chains of this process that nobody uses, back at their first block. */
const idle: { chain: LocalChain; snapshot: unknown }[] = []

/**
 * A development chain at its first block, for services that are started after one another in one test process: a
 * Hardhat node takes two seconds to load, and a moment to go back to where it began.
 *
 * Stopping it gives it back. What a node forgets only with its process, as how it mines, no such service may change.
 */
export async function pooledChain(): Promise<LocalChain> {
  const { chain, snapshot } = idle.pop() ?? (await newChain())
  let isGivenBack = false
  return {
    url: chain.url,
    unref: chain.unref,
    isRunning: () => !isGivenBack && chain.isRunning(),
    async stop() {
      if (isGivenBack || !chain.isRunning()) return
      isGivenBack = true
      const rpc = rpcOf(chain.url)
      await rpc('evm_revert', [snapshot])
      idle.push({ chain, snapshot: await rpc('evm_snapshot') })
    },
  }
}

async function newChain() {
  const chain = await startLocalChain(0)
  chain.unref()
  return { chain, snapshot: await rpcOf(chain.url)('evm_snapshot') }
}
