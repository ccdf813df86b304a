import { type PublicClient, size, slice, zeroAddress } from 'viem'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import { createCallNode } from './callNode.ts'
import type { Hex } from './chainTypes.ts'
import { createBatchedFetch } from './createBatchedFetch.ts'
import { createLazyClient } from './createLazyClient.ts'
import { createSignatureCheck } from './createSignatureCheck.ts'
import { isRevertWithReason, orNull } from './nodeFailure.ts'
import { readEvents } from './readEvents.ts'

/** A token of a foreign registry at the newest block; `wallet` is null if none is set. */
export type ForeignToken = { owner: Hex; wallet: Hex | null; uri: string; block: number }

/** A transfer of a token; `newOwner` is null if it was burnt. */
type ForeignTransfer = { block: number; newOwner: Hex | null }

/** The `agentWallet` of a token from a block on, in lower case; null if it was removed. */
type ForeignWallet = { agentId: number; block: number; wallet: Hex | null }

/** Feedback of the accounts whose feedback counts; `mean` on the scale from 0 to 100. */
type ForeignFeedback = { count: number; mean: number }

export type ForeignChain = ReturnType<typeof createForeignChain>

type ForeignChainOptions = {
  rpcUrl: string
  chainId: number
  registry: Hex
  reputation: Hex | null
  reviewers: readonly Hex[]
  /** From 0 to 1, exclusive; adds jitter to the retries. */
  random(): number
}

const TIMEOUT_MS = 3_000
const ATTEMPTS = 2
/** A longer URI contains a file that is too long in any case, and need not be kept. */
const URI_MAX = 256 * 1024
/** The tag of quality ratings from 0 to 100. Source: EIP-8004 "Reputation Registry". */
const RATING_TAG = 'starred'

/** The reserved key of the metadata. Source: EIP-8004 "Identity Registry". */
const WALLET_KEY = 'agentWallet'
const ADDRESS_BYTES = 20
/** An address as `abi.encode` writes it. */
const WORD_BYTES = 32

const identity = identityRegistry.abi
const { abi: reputation } = reputationRegistry

/**
 * Creates the only access to a registry on another chain, which reads and never writes.
 *
 * Every method throws `CHAIN_UNAVAILABLE` if the node does not respond, or is one of another chain than configured.
 */
export function createForeignChain(options: ForeignChainOptions) {
  const { chainId, registry, reviewers, random } = options
  const call = createCallNode({ attempts: ATTEMPTS, pauseMs: 150, random })
  const url = () => options.rpcUrl
  const client = createLazyClient({ url, createFetch: () => createBatchedFetch(TIMEOUT_MS) })
  const requireChain = async (node: PublicClient): Promise<void> => {
    const answered = await node.getChainId()
    if (answered !== chainId) throw new Error(`the node is of chain ${answered}, expected ${chainId}`)
  }
  return {
    /** Reads the number of the newest block. */
    readHead: (): Promise<number> =>
      call(async () => {
        const [head] = await Promise.all([client().getBlockNumber({ cacheTime: 0 }), requireChain(client())])
        return Number(head)
      }),

    /**
     * Reads a token at the newest block; null if its registry says that it does not exist. The number of the block is read
     * first: nodes behind one address may be at different blocks, and a later one would be stored with an older state.
     */
    readToken: (agentId: number): Promise<ForeignToken | null> =>
      call(async () => {
        const node = client()
        const args = [BigInt(agentId)] as const
        const [block] = await Promise.all([node.getBlockNumber({ cacheTime: 0 }), requireChain(node)])
        const at = { address: registry, abi: identity, args, blockNumber: block } as const
        const [owner, uri, wallet] = await Promise.all([
          // A read that failed for another reason must not look like a token that was burnt.
          orNull(node.readContract({ ...at, functionName: 'ownerOf' }), isRevertWithReason),
          orNull(node.readContract({ ...at, functionName: 'tokenURI' })),
          // Registries from before this function have no wallets.
          orNull(node.readContract({ ...at, functionName: 'getAgentWallet' })),
        ])
        if (owner === null || owner === zeroAddress) return null
        return {
          owner: owner.toLowerCase() as Hex,
          wallet: wallet === null || wallet === zeroAddress ? null : (wallet.toLowerCase() as Hex),
          uri: (uri ?? '').slice(0, URI_MAX).replaceAll('\0', '\ufffd'),
          block: Number(block),
        }
      }),

    /** Reads the latest transfer of each token that was transferred in a range of blocks. */
    readTransfers: async (blocks: { first: number; last: number }): Promise<Map<number, ForeignTransfer>> => {
      const logs = await readEvents(
        { client, call },
        (node, range) =>
          node.getContractEvents({
            address: registry,
            abi: identity,
            eventName: 'Transfer',
            strict: true,
            ...range,
          }),
        blocks,
      )
      const latest = new Map<number, ForeignTransfer>()
      for (const { args, blockNumber } of logs) {
        // A number beyond these names no agent here, and is more than the database can look up.
        if (args.tokenId > Number.MAX_SAFE_INTEGER) continue
        const newOwner = args.to === zeroAddress ? null : (args.to.toLowerCase() as Hex)
        latest.set(Number(args.tokenId), { block: Number(blockNumber), newOwner })
      }
      return latest
    },

    /**
     * Reads the wallets that were set in a range of blocks, oldest first; of those of a token in one block the last. A value
     * that is no address is left out.
     */
    readWallets: async (blocks: { first: number; last: number }): Promise<ForeignWallet[]> => {
      const logs = await readEvents(
        { client, call },
        (node, range) =>
          node.getContractEvents({
            address: registry,
            abi: identity,
            eventName: 'MetadataSet',
            args: { indexedMetadataKey: WALLET_KEY },
            strict: true,
            ...range,
          }),
        blocks,
      )
      const set = new Map<string, ForeignWallet>()
      for (const { args, blockNumber } of logs) {
        const wallet = readWallet(args.metadataValue)
        if (wallet === undefined || args.agentId > Number.MAX_SAFE_INTEGER) continue
        const [agentId, block] = [Number(args.agentId), Number(blockNumber)]
        set.set(`${agentId} ${block}`, { agentId, block, wallet })
      }
      return [...set.values()]
    },

    /** Reads the ratings by the configured reviewers; null if none count here. */
    readFeedback: (agentId: number): Promise<ForeignFeedback | null> =>
      call(async () => {
        if (options.reputation === null) return null
        const summary = await orNull(
          client().readContract({
            address: options.reputation,
            abi: reputation,
            functionName: 'getSummary',
            args: [BigInt(agentId), [...reviewers], RATING_TAG, ''],
          }),
        )
        if (summary === null) return null
        const [count, value, decimals] = summary
        const mean = Number(value) / 10 ** Number(decimals)
        return { count: Number(count), mean: Math.min(Math.max(mean, 0), 100) }
      }),

    /** Whether a contract wallet on this chain accepts a signature over a hash (ERC-1271). */
    acceptsSignature: createSignatureCheck({ url, timeoutMs: TIMEOUT_MS }),
  }
}

/** The wallet in the value of the reserved key; null for an empty one, undefined for what is no address. */
function readWallet(value: Hex): Hex | null | undefined {
  const length = size(value)
  if (length === 0) return null
  if (length !== ADDRESS_BYTES && length !== WORD_BYTES) return undefined
  const address = slice(value, length - ADDRESS_BYTES).toLowerCase() as Hex
  return address === zeroAddress ? null : address
}
