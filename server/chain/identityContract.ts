import { decodeEventLog, encodeFunctionData, toEventSelector } from 'viem'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex, Receipt } from './chainTypes.ts'
import { isContractFailure } from './isUnanswered.ts'
import { eventPositionOf } from './placeOf.ts'
import { readEvents } from './readEvents.ts'

type MetadataEntry = { metadataKey: string; metadataValue: Hex }

const { abi } = identityRegistry
const REGISTERED_TOPIC = toEventSelector('Registered(uint256,string,address)')

/**
 * The identity registry (ERC-8004): call data to sign, and what can be read.
 *
 * Source: onchain.md "ERC-8004 registries".
 */
export function createIdentityContract({ client, call }: Transport) {
  return {
    /** An identity for the caller, which is the relayer. */
    encodeRegister: (agentURI: string, metadata: readonly MetadataEntry[]): Hex =>
      encodeFunctionData({ abi, functionName: 'register', args: [agentURI, [...metadata]] }),

    /** An identity without a registration file. */
    encodeRegisterEmpty: (): Hex => encodeFunctionData({ abi, functionName: 'register', args: [] }),

    /** An identity for an owner who has signed for it. */
    encodeRegisterFor: (input: {
      owner: Hex
      agentURI: string
      metadata: readonly MetadataEntry[]
      deadline: bigint
      signature: Hex
    }): Hex =>
      encodeFunctionData({
        abi,
        functionName: 'registerFor',
        args: [input.owner, input.agentURI, [...input.metadata], input.deadline, input.signature],
      }),

    /** The token to another holder. Not `safeTransferFrom`: a wallet that cannot answer must not block the queue. */
    encodeTransfer: (from: Hex, to: Hex, agentId: bigint): Hex =>
      encodeFunctionData({ abi, functionName: 'transferFrom', args: [from, to, agentId] }),

    /** The nonce that the owner's next signed registration has to cover; null when the registry takes none. */
    readNonce: (registry: Hex, owner: Hex): Promise<bigint | null> =>
      call(async () => {
        try {
          return await client().readContract({
            address: registry,
            abi,
            functionName: 'nonces',
            args: [owner],
          })
        } catch (error) {
          if (isContractFailure(error)) return null
          throw error
        }
      }),

    /** Holder of the token; null for an id that does not exist. */
    readOwner: (registry: Hex, agentId: bigint): Promise<Hex | null> =>
      call(async () => {
        try {
          return await client().readContract({
            address: registry,
            abi,
            functionName: 'ownerOf',
            args: [agentId],
          })
        } catch (error) {
          if (isContractFailure(error)) return null
          throw error
        }
      }),

    /** Registrations of one first holder, oldest first. */
    findRegistrations: async (
      registry: Hex,
      owner: Hex,
      blocks: { first: number; last: number },
    ): Promise<({ agentId: bigint; agentURI: string } & EventPosition)[]> => {
      const logs = await readEvents(
        (range) =>
          client().getContractEvents({
            address: registry,
            abi,
            eventName: 'Registered',
            args: { owner },
            strict: true,
            ...range,
          }),
        blocks.first,
        blocks.last,
        { call },
      )
      return logs.map((log) => ({
        agentId: log.args.agentId,
        agentURI: log.args.agentURI,
        ...eventPositionOf(log),
      }))
    },

    /** Where a token went from one holder to another; null when it never did. */
    findTransfer: async (
      registry: Hex,
      transfer: { agentId: bigint; from: Hex; to: Hex },
      blocks: { first: number; last: number },
    ): Promise<EventPosition | null> => {
      const logs = await readEvents(
        (range) =>
          client().getContractEvents({
            address: registry,
            abi,
            eventName: 'Transfer',
            args: { from: transfer.from, to: transfer.to, tokenId: transfer.agentId },
            strict: true,
            ...range,
          }),
        blocks.first,
        blocks.last,
        { call },
      )
      const last = logs.at(-1)
      return last ? eventPositionOf(last) : null
    },

    /** The registration a transaction made; null when it made none in this registry. */
    decodeRegistration: (registry: Hex, receipt: Receipt): { agentId: bigint; owner: Hex } | null => {
      for (const { address, topics, data } of receipt.logs) {
        const [signature, ...indexed] = topics
        if (address.toLowerCase() !== registry.toLowerCase() || signature !== REGISTERED_TOPIC) continue
        const { args } = decodeEventLog({
          abi,
          eventName: 'Registered',
          topics: [signature, ...indexed],
          data,
        })
        return { agentId: args.agentId, owner: args.owner }
      }
      return null
    },
  }
}
