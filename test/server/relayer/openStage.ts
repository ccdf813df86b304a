import { createChainClient } from '../../../server/chain/chainClient.ts'
import { deployContracts } from '../../../server/chain/deployContracts.ts'
import { startLocalChain } from '../../../server/chain/localChain.ts'
import { relayerAccount } from '../../../server/chain/relayerAccount.ts'
import { freePort } from '../../harness/freePort.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A real development chain in a process of its own, with a client and the chain's own test methods. */
export async function openStage() {
  const node = await startLocalChain(await freePort())
  const rpc = async (method: string, params: unknown[] = []): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(node.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  const away = { is: false }
  const chain = createChainClient({
    url: () => (away.is ? 'http://127.0.0.1:1' : node.url),
    account: relayerAccount(undefined),
    random: () => 0,
    attempts: 2,
  })
  let logs = 0
  return {
    node,
    rpc,
    chain,
    /** Takes the chain out of reach, or brings it back. */
    setAway(isAway: boolean) {
      away.is = isAway
    },
    mine: (blocks: number) => rpc('hardhat_mine', [`0x${blocks.toString(16)}`]),
    /** Contracts of their own, with a fresh log, so that tests do not see one another. */
    async deploy() {
      logs += 1
      const logId = `0x${logs.toString(16).padStart(64, '0')}` as const
      const contracts = await deployContracts(chain, {
        logId,
        existing: {},
        confirmations: 1,
        maxFeePerGas: 10n ** 12n,
      })
      return { ...contracts, logId, chainId: await chain.chainId(), genesisHash: await chain.genesisHash() }
    },
    close: () => node.stop(),
  }
}
