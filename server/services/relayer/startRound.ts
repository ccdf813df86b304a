import type { FeeMarket } from '@svc/core/fees.ts'
import type { Hex } from '../../chain/chainTypes.ts'
import type { Poll } from '../../chain/readPoll.ts'
import { apiError } from '../../errors.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import type { HandlerContext } from './intentHandler.ts'
import { listTracked } from './listTracked.ts'
import { type ForkWatch, preparePoll } from './preparePoll.ts'
import type { RelayerDeps } from './relayerDeps.ts'

/** An account of the relayer and its nonces. */
export type AccountNonces = {
  sender: Hex
  /** First nonce that has not been mined. */
  nextNonce: number
  /**
   * First nonce that another transaction could still use if the blocks that are not final vanished; 0 in a round that does
   * not need it, because no transaction is missing.
   */
  finalNonce: number
}

/** The state of the chain on which all steps of a round act, with the account that sends what is new. */
export type Round = AccountNonces &
  Pick<Poll, 'head' | 'blockHashes' | 'receipts'> & {
    deployment: Deployment
    /** The other accounts whose keys are known: they finish what they sent, and hand over what they hold. */
    others: readonly AccountNonces[]
    /** Newest final block. */
    finalBlock: number
    market: FeeMarket
    context: HandlerContext
  }

/**
 * Reads the state of the chain with everything that the round will ask, and checks that it is still ours. The node behind a
 * URL can change at any time, and finding none of our transactions on another chain would look like a reorganisation.
 *
 * With a former key, the account that operates the log sends what is new, so that the hand-over of the log changes the
 * account for everything at once, and a reorganisation of it changes the account back.
 *
 * @param watch Chain head seen by earlier rounds.
 * @throws ApiError CHAIN_UNAVAILABLE if the node is on another chain.
 */
export async function startRound(
  deps: Pick<RelayerDeps, 'chain' | 'stores' | 'policy' | 'clock'>,
  deployment: Deployment,
  watch: ForkWatch = { last: null },
): Promise<Round> {
  const { chain, policy } = deps
  const poll = await chain.readPoll(await preparePoll(deps, watch))
  requireSameChain(poll, deployment)
  const { head, blockHashes, receipts } = poll
  const finalBlock = Math.max(0, head.number - policy.confirmations + 1)
  const sender = await findSender(chain, deployment)
  const others = chain.relayers.filter((address) => address !== sender)
  const asked = (await isAnyMissing(deps, poll)) ? finalBlock : null
  const nonces = (address: Hex) => readNonces(deps, deployment, { address, poll, finalBlock: asked })
  const [own, rest] = await Promise.all([nonces(sender), Promise.all(others.map(nonces))])
  return {
    ...own.nonces,
    others: rest.map((other) => other.nonces),
    ...{ deployment, head, blockHashes, receipts },
    finalBlock,
    market: { baseFee: head.baseFeePerGas, tip: poll.priorityFee, cap: policy.maxFeePerGas },
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
  { address, poll, finalBlock }: { address: Hex; poll: Poll; finalBlock: number | null },
): Promise<{ nonces: AccountNonces; hasUnknown: boolean }> {
  const nextNonce = poll.nextNonces.get(address) ?? 0
  const [finalNonce, signedNonce] = await Promise.all([
    finalBlock === null ? 0 : chain.readTransactionCount(address, finalBlock),
    stores.transactions.nextNonceOf(address),
  ])
  // The nonces of the deployment are those of the account that opened the log.
  const hasDeployed = chain.relayers.length === 1 || logId.startsWith(address.toLowerCase())
  const known = hasDeployed ? Math.max(signedNonce, afterDeployment) : signedNonce
  return { nonces: { sender: address, nextNonce, finalNonce }, hasUnknown: nextNonce > known }
}

/** Whether a transaction may have lost its nonce to another one. */
async function isAnyMissing(
  { chain, stores }: Pick<RelayerDeps, 'chain' | 'stores'>,
  { receipts, nextNonces }: Poll,
): Promise<boolean> {
  if (![...receipts.values()].includes(null)) return false
  return (await listTracked(stores)).some(({ status, nonce, sender }) => {
    const nextNonce =
      nextNonces.get((sender as Hex | null) ?? chain.relayerAddress) ?? Number.POSITIVE_INFINITY
    return status !== 'mined' && nonce !== null && nonce < nextNonce
  })
}

function requireSameChain(found: Poll, { chainId, genesisHash }: Deployment): void {
  if (found.chainId === chainId && found.genesisHash === genesisHash) return
  const detail = `the node is on another chain (id ${found.chainId}) than our contracts (id ${chainId})`
  throw apiError('CHAIN_UNAVAILABLE', { detail })
}
