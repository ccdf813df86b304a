import type { Block } from '../../chain/chainTypes.ts'
import { apiError } from '../../errors.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import type { FeeMarket } from './fees.ts'
import type { HandlerContext } from './intentHandler.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/** One look at the chain, on which all steps of a round act. */
export type Round = {
  deployment: Deployment
  head: Block
  /** First nonce of the relayer that no block holds. */
  nextNonce: number
  /** Newest block that counts as final. */
  deepBlock: number
  /** First nonce that may still go to another transaction, were the newest blocks to vanish. */
  finalNonce: number
  market: FeeMarket
  context: HandlerContext
}

/**
 * Looks at the chain, and first whether it is still ours: behind one address there can be another node than a moment
 * ago, and on another chain nothing of ours is found, which would look like a reorganisation. The head is read first: a nonce that is used up to that block has its receipt by the time
 * receipts are asked for, so that its absence says something.
 *
 * @throws ApiError CHAIN_UNAVAILABLE when the node answers for another chain.
 */
export async function startRound(
  deps: Pick<RelayerDeps, 'chain' | 'stores' | 'policy' | 'clock'>,
  deployment: Deployment,
): Promise<Round> {
  const { chain, stores, policy } = deps
  await refuseOtherChain(chain, deployment)
  const head = await chain.readHead()
  const deepBlock = Math.max(0, head.number - policy.confirmations + 1)
  const [nextNonce, finalNonce, tip, signedNonce] = await Promise.all([
    chain.readTransactionCount(chain.relayerAddress),
    chain.readTransactionCount(chain.relayerAddress, deepBlock),
    chain.readPriorityFee(),
    stores.transactions.nextNonceOf(chain.relayerAddress),
  ])
  return {
    deployment,
    head,
    nextNonce,
    deepBlock,
    finalNonce,
    market: { baseFee: head.baseFeePerGas, tip, cap: policy.maxFeePerGas },
    context: {
      deployment,
      headBlock: head.number,
      // Nonces that neither the outbox nor the deployment used: it was restored from a copy, or the key is shared.
      mustLook: nextNonce > Math.max(signedNonce, deployment.nextNonce),
      now: deps.clock(),
    },
  }
}

async function refuseOtherChain(
  chain: RelayerDeps['chain'],
  { chainId, genesisHash }: Deployment,
): Promise<void> {
  const [foundId, foundGenesis] = await Promise.all([chain.readChainId(), chain.readGenesisHash()])
  if (foundId === chainId && foundGenesis === genesisHash) return
  const detail = `the node answers for chain ${foundId}, which is not chain ${chainId} that our contracts are on`
  throw apiError('CHAIN_UNAVAILABLE', { detail })
}
