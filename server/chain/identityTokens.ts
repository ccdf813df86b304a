import { encodeFunctionData, getAbiItem, zeroAddress } from 'viem'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex } from './chainTypes.ts'
import { isContractFailure, orNull } from './nodeFailure.ts'
import { eventPositionOf, readEvents } from './readEvents.ts'

const { abi } = identityRegistry

/** Events that change a token, or what the relayer may do with it. */
const CHANGES = [
  getAbiItem({ abi, name: 'Transfer' }),
  getAbiItem({ abi, name: 'URIUpdated' }),
  getAbiItem({ abi, name: 'MetadataSet' }),
  getAbiItem({ abi, name: 'Approval' }),
  getAbiItem({ abi, name: 'ApprovalForAll' }),
] as const

type Blocks = { first: number; last: number }

/** The state of a token on chain; `wallet` is null if none is set. */
export type ChainToken = { owner: Hex; wallet: Hex | null; uri: string }

/** Changes to the tokens of a registry within a range of blocks. */
export type TokenChanges = {
  /** Block of the latest event, by token. */
  tokens: Map<bigint, number>
  /** Owners that granted the relayer operator rights, or revoked them. */
  approvers: Hex[]
}

/** Tokens of an identity registry (ERC-8004) after minting: state, changes and URIs. */
export function createIdentityTokens({ client, call }: Transport) {
  return {
    /**
     * Reads a token at a block; null if it did not exist.
     *
     * U+0000 in the URI is replaced by U+FFFD: an owner can write it on chain, but it is invalid in a URI, and
     * PostgreSQL cannot store it.
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

    /** Whether an account is the token's owner or approved by the owner; false if the token does not exist. */
    isAuthorized: (registry: Hex, spender: Hex, agentId: bigint): Promise<boolean> =>
      call(
        async () =>
          (await orNull(
            client().readContract({
              address: registry,
              abi,
              functionName: 'isAuthorizedOrOwner',
              args: [spender, agentId],
            }),
          )) ?? false,
      ),

    /** Reads the changes to tokens in a range of blocks, as far as they concern `relayer`. */
    readChanges: async (registry: Hex, relayer: Hex, blocks: Blocks): Promise<TokenChanges> => {
      const logs = await readEvents(
        { client, call },
        (node, range) => node.getLogs({ address: registry, events: CHANGES, strict: true, ...range }),
        blocks,
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

    /** Encodes setting the URI of a token. */
    encodeSetUri: (agentId: bigint, uri: string): Hex =>
      encodeFunctionData({ abi, functionName: 'setAgentURI', args: [agentId, uri] }),

    /** Encodes approving an account for one token. */
    encodeApprove: (spender: Hex, agentId: bigint): Hex =>
      encodeFunctionData({ abi, functionName: 'approve', args: [spender, agentId] }),

    /** Finds where a token got its current URI: at the latest change, otherwise at registration. */
    findUriChange: async (registry: Hex, agentId: bigint, blocks: Blocks): Promise<EventPosition | null> => {
      for (const eventName of ['URIUpdated', 'Registered'] as const) {
        const logs = await readEvents(
          { client, call },
          (node, range) =>
            node.getContractEvents({ address: registry, abi, eventName, args: { agentId }, ...range }),
          blocks,
        )
        const last = logs.at(-1)
        if (last) return eventPositionOf(last)
      }
      return null
    },
  }
}
