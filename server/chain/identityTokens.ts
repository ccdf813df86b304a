import { encodeFunctionData, getAbiItem, zeroAddress } from 'viem'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex } from './chainTypes.ts'
import { isContractFailure } from './isUnanswered.ts'
import { eventPositionOf } from './placeOf.ts'
import { readEvents } from './readEvents.ts'

const { abi } = identityRegistry

/** Events after which a token is not as it was, or the relayer may do more or less with it. */
const CHANGES = [
  getAbiItem({ abi, name: 'Transfer' }),
  getAbiItem({ abi, name: 'URIUpdated' }),
  getAbiItem({ abi, name: 'MetadataSet' }),
  getAbiItem({ abi, name: 'Approval' }),
  getAbiItem({ abi, name: 'ApprovalForAll' }),
] as const

type Blocks = { first: number; last: number }

/** A token as the chain has it; `wallet` is null when none is set. */
export type ChainToken = { owner: Hex; wallet: Hex | null; uri: string }

/** What happened to the tokens of a registry in some blocks. */
export type TokenChanges = {
  /** Newest block of an event, by token. */
  tokens: Map<bigint, number>
  /** Accounts that let the relayer act for all their tokens, or do so no more. */
  approvers: Hex[]
}

/** Tokens of an identity registry (ERC-8004) after they were minted: their state, their changes, their URIs. */
export function createIdentityTokens({ client, call }: Transport) {
  return {
    /**
     * A token as it stood at a block; null when it was not there.
     *
     * U+0000 in its URI is read as U+FFFD: an owner may write it on chain, no address holds it, and PostgreSQL does not
     * store it.
     */
    readToken: (registry: Hex, agentId: bigint, block: number): Promise<ChainToken | null> =>
      call(async () => {
        const at = { address: registry, abi, blockNumber: BigInt(block) } as const
        try {
          const [owner, uri, wallet] = await Promise.all([
            client().readContract({ ...at, functionName: 'ownerOf', args: [agentId] }),
            client().readContract({ ...at, functionName: 'tokenURI', args: [agentId] }),
            client().readContract({ ...at, functionName: 'getAgentWallet', args: [agentId] }),
          ])
          return {
            owner,
            uri: uri.replaceAll('\0', '\ufffd'),
            wallet: wallet === zeroAddress ? null : wallet,
          }
        } catch (error) {
          if (isContractFailure(error)) return null
          throw error
        }
      }),

    /** Whether an account may act for a token, as its owner or with the owner's approval; false for no token. */
    isAuthorized: (registry: Hex, spender: Hex, agentId: bigint): Promise<boolean> =>
      call(async () => {
        try {
          return await client().readContract({
            address: registry,
            abi,
            functionName: 'isAuthorizedOrOwner',
            args: [spender, agentId],
          })
        } catch (error) {
          if (isContractFailure(error)) return false
          throw error
        }
      }),

    /** What happened to tokens in some blocks, as far as it concerns `relayer`. */
    readChanges: async (registry: Hex, relayer: Hex, blocks: Blocks): Promise<TokenChanges> => {
      const logs = await readEvents(
        (range) => client().getLogs({ address: registry, events: CHANGES, strict: true, ...range }),
        blocks.first,
        blocks.last,
        { call },
      )
      const tokens = new Map<bigint, number>()
      const approvers = new Set<Hex>()
      for (const log of logs) {
        if (log.eventName === 'ApprovalForAll') {
          if (log.args.operator === relayer) approvers.add(log.args.owner)
        } else {
          const id = 'tokenId' in log.args ? log.args.tokenId : log.args.agentId
          tokens.set(id, Number(log.blockNumber))
        }
      }
      return { tokens, approvers: [...approvers] }
    },

    /** Gives a token another URI. */
    encodeSetUri: (agentId: bigint, uri: string): Hex =>
      encodeFunctionData({ abi, functionName: 'setAgentURI', args: [agentId, uri] }),

    /** Lets an account act for one token. */
    encodeApprove: (spender: Hex, agentId: bigint): Hex =>
      encodeFunctionData({ abi, functionName: 'approve', args: [spender, agentId] }),

    /** Where a token got the URI it has: by its last change, else by its registration. */
    findUriChange: async (registry: Hex, agentId: bigint, blocks: Blocks): Promise<EventPosition | null> => {
      for (const eventName of ['URIUpdated', 'Registered'] as const) {
        const logs = await readEvents(
          (range) =>
            client().getContractEvents({ address: registry, abi, eventName, args: { agentId }, ...range }),
          blocks.first,
          blocks.last,
          { call },
        )
        const last = logs.at(-1)
        if (last) return eventPositionOf(last)
      }
      return null
    },
  }
}
