import type { Block } from '../../chain/chainTypes.ts'
import { apiError } from '../../errors.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import type { FeeMarket } from './fees.ts'
import type { HandlerContext } from './intentHandler.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/** The state of the chain on which all steps of a round act. */
export type Round = {
  deployment: Deployment
  head: Block
  /** First nonce of the relayer that has not been mined. */
  nextNonce: number
  /** Newest final block. */
  finalBlock: number
  /** First nonce that another transaction could still use if the blocks that are not final vanished. */
  finalNonce: number
  market: FeeMarket
  context: HandlerContext
}

/**
 * Reads the state of the chain, after checking that it is still ours. The node behind a URL can change at any time, and
 * finding none of our transactions on another chain would look like a reorganisation. The head is read first: the receipt of
 * every nonce used up to that block then exists by the time it is requested, so a missing receipt is meaningful.
 *
 * @throws ApiError CHAIN_UNAVAILABLE if the node is on another chain.
 */
export async function startRound(
  deps: Pick<RelayerDeps, 'chain' | 'stores' | 'policy' | 'clock'>,
  deployment: Deployment,
): Promise<Round> {
  const { chain, stores, policy } = deps
  await checkChain(chain, deployment)
  const head = await chain.readHead()
  const finalBlock = Math.max(0, head.number - policy.confirmations + 1)
  const [nextNonce, finalNonce, tip, signedNonce] = await Promise.all([
    chain.readTransactionCount(chain.relayerAddress),
    chain.readTransactionCount(chain.relayerAddress, finalBlock),
    chain.readPriorityFee(),
    stores.transactions.nextNonceOf(chain.relayerAddress),
  ])
  return {
    deployment,
    head,
    nextNonce,
    finalBlock,
    finalNonce,
    market: { baseFee: head.baseFeePerGas, tip, cap: policy.maxFeePerGas },
    context: {
      deployment,
      headBlock: head.number,
      // Neither the outbox nor the deployment used these nonces: the database was restored, or the key is shared.
      mustSearch: nextNonce > Math.max(signedNonce, deployment.nextNonce),
      now: deps.clock(),
    },
  }
}

async function checkChain(chain: RelayerDeps['chain'], { chainId, genesisHash }: Deployment): Promise<void> {
  const [foundId, foundGenesis] = await Promise.all([chain.readChainId(), chain.readGenesisHash()])
  if (foundId === chainId && foundGenesis === genesisHash) return
  const detail = `the node is on another chain (id ${foundId}) than our contracts (id ${chainId})`
  throw apiError('CHAIN_UNAVAILABLE', { detail })
}
