import { createChainClient, relayerAccountOf } from '../../../../server/chain/chainClient.ts'
import { deployContracts } from '../../../../server/chain/deployContracts.ts'
import { createRpc } from '../../../harness/chain/createRpc.ts'
import { takeChain } from '../../../harness/chain/takeChain.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * A real development chain in a separate process, with a client and the chain’s own test methods.
 *
 * @param options.timeoutMs The client’s timeout.
 */
export async function openStage(options: { timeoutMs?: number } = {}) {
  const node = await takeChain()
  const rpc = createRpc(node.url)
  const away = 'http://127.0.0.1:1'
  let url = node.url
  const chain = createChainClient({
    url: () => url,
    account: relayerAccountOf(undefined),
    random: () => 0,
    attempts: 2,
    ...options,
  })
  let deployed: { contracts: Awaited<ReturnType<typeof deployAll>>; snapshot: unknown } | undefined

  async function deployAll() {
    const logId = `0x${chain.relayerAddress.slice(2).toLowerCase()}${'1'.padStart(24, '0')}` as const
    const contracts = await deployContracts(chain, {
      logId,
      renameLog: async () => logId,
      existing: {},
      confirmations: 1,
      maxFeePerGas: 10n ** 12n,
    })
    return {
      ...contracts,
      logId,
      chainId: await chain.readChainId(),
      genesisHash: await chain.readGenesisHash(),
    }
  }

  return {
    node,
    rpc,
    chain,
    /** Makes the chain unreachable, or reachable again. */
    setAway(isAway: boolean) {
      url = isAway ? away : node.url
    },
    /** Connects the client to another node, or to a proxy in front of this one. */
    setUrl(other: string) {
      url = other
    },
    mine: (blocks: number) => rpc('hardhat_mine', [`0x${blocks.toString(16)}`]),
    /** Resets the chain to the state after deploying the contracts, so that tests do not affect one another. */
    async deploy() {
      if (deployed) await rpc('evm_revert', [deployed.snapshot])
      const contracts = deployed?.contracts ?? (await deployAll())
      deployed = { contracts, snapshot: await rpc('evm_snapshot') }
      return contracts
    },
    close: () => node.stop(),
  }
}
