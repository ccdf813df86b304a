import type { Block, Hex } from '../../chain/chainTypes.ts'
import { apiError } from '../../errors.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import type { FeeMarket } from './fees.ts'
import type { HandlerContext } from './intentHandler.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/** An account of the relayer and its nonces. */
export type AccountNonces = {
  sender: Hex
  /** First nonce that has not been mined. */
  nextNonce: number
  /** First nonce that another transaction could still use if the blocks that are not final vanished. */
  finalNonce: number
}

/** The state of the chain on which all steps of a round act, with the account that sends what is new. */
export type Round = AccountNonces & {
  deployment: Deployment
  head: Block
  /** The other accounts whose keys are known: they finish what they sent, and hand over what they hold. */
  others: readonly AccountNonces[]
  /** Newest final block. */
  finalBlock: number
  market: FeeMarket
  context: HandlerContext
}

/**
 * Reads the state of the chain, after checking that it is still ours. The node behind a URL can change at any time, and
 * finding none of our transactions on another chain would look like a reorganisation. The head is read first: the receipt of
 * every nonce used up to that block then exists by the time it is requested, so a missing receipt is meaningful.
 *
 * With a former key, the account that operates the log sends what is new, so that the hand-over of the log changes the
 * account for everything at once, and its reorganisation changes it back.
 *
 * @throws ApiError CHAIN_UNAVAILABLE if the node is on another chain.
 */
export async function startRound(
  deps: Pick<RelayerDeps, 'chain' | 'stores' | 'policy' | 'clock'>,
  deployment: Deployment,
): Promise<Round> {
  const { chain, policy } = deps
  await checkChain(chain, deployment)
  const head = await chain.readHead()
  const finalBlock = Math.max(0, head.number - policy.confirmations + 1)
  const sender = await findSender(chain, deployment)
  const others = chain.relayers.filter((address) => address !== sender)
  const nonces = (address: Hex) => readNonces(deps, deployment, { address, finalBlock })
  const [tip, own, rest] = await Promise.all([
    chain.readPriorityFee(),
    nonces(sender),
    Promise.all(others.map(nonces)),
  ])
  return {
    ...own.nonces,
    others: rest.map((other) => other.nonces),
    deployment,
    head,
    finalBlock,
    market: { baseFee: head.baseFeePerGas, tip, cap: policy.maxFeePerGas },
    context: {
      deployment,
      relayer: sender,
      headBlock: head.number,
      // Nobody here used these nonces: the database was restored, or the key is shared.
      mustSearch: [own, ...rest].some(({ hasUnknown }) => hasUnknown),
      now: deps.clock(),
    },
  }
}

async function findSender(chain: RelayerDeps['chain'], { auditLog, logId }: Deployment): Promise<Hex> {
  if (chain.relayers.length === 1) return chain.relayerAddress
  const { operator } = await chain.auditLog.readHead(auditLog, logId)
  return chain.relayers.find((address) => address === operator) ?? chain.relayerAddress
}

async function readNonces(
  { chain, stores }: Pick<RelayerDeps, 'chain' | 'stores'>,
  { logId, nextNonce: afterDeployment }: Deployment,
  { address, finalBlock }: { address: Hex; finalBlock: number },
): Promise<{ nonces: AccountNonces; hasUnknown: boolean }> {
  const [nextNonce, finalNonce, signedNonce] = await Promise.all([
    chain.readTransactionCount(address),
    chain.readTransactionCount(address, finalBlock),
    stores.transactions.nextNonceOf(address),
  ])
  // The nonces of the deployment are those of the account that opened the log.
  const hasDeployed = chain.relayers.length === 1 || logId.startsWith(address.toLowerCase())
  const known = hasDeployed ? Math.max(signedNonce, afterDeployment) : signedNonce
  return { nonces: { sender: address, nextNonce, finalNonce }, hasUnknown: nextNonce > known }
}

async function checkChain(chain: RelayerDeps['chain'], { chainId, genesisHash }: Deployment): Promise<void> {
  const [foundId, foundGenesis] = await Promise.all([chain.readChainId(), chain.readGenesisHash()])
  if (foundId === chainId && foundGenesis === genesisHash) return
  const detail = `the node is on another chain (id ${foundId}) than our contracts (id ${chainId})`
  throw apiError('CHAIN_UNAVAILABLE', { detail })
}
