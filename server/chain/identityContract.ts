import { decodeEventLog, encodeFunctionData, toEventSelector } from 'viem'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex, Receipt } from './chainTypes.ts'
import { orNull } from './nodeFailure.ts'
import { eventPositionOf, readEvents } from './readEvents.ts'

type MetadataEntry = { metadataKey: string; metadataValue: Hex }

const { abi } = identityRegistry
const REGISTERED_TOPIC = toEventSelector('Registered(uint256,string,address)')

/** The identity registry (ERC-8004): call data to sign, and reads. */
export function createIdentityContract({ client, call }: Transport) {
  return {
    /** Encodes a registration for the caller, which is the relayer. */
    encodeRegister: (agentURI: string, metadata: readonly MetadataEntry[]): Hex =>
      encodeFunctionData({ abi, functionName: 'register', args: [agentURI, [...metadata]] }),

    /** Encodes a registration without a registration file. */
    encodeRegisterEmpty: (): Hex => encodeFunctionData({ abi, functionName: 'register', args: [] }),

    /** Encodes a registration for an owner who has signed it. */
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

    /** Encodes a token transfer. Not `safeTransferFrom`: a wallet that cannot respond must not block the queue. */
    encodeTransfer: (from: Hex, to: Hex, agentId: bigint): Hex =>
      encodeFunctionData({ abi, functionName: 'transferFrom', args: [from, to, agentId] }),

    /** Reads the nonce that the owner's next signed registration must cover; null if the registry has no `nonces`. */
    readNonce: (registry: Hex, owner: Hex): Promise<bigint | null> =>
      call(() =>
        orNull(
          client().readContract({
            address: registry,
            abi,
            functionName: 'nonces',
            args: [owner],
          }),
        ),
      ),

    /** Reads the owner of a token; null if the id does not exist. */
    readOwner: (registry: Hex, agentId: bigint): Promise<Hex | null> =>
      call(() =>
        orNull(
          client().readContract({
            address: registry,
            abi,
            functionName: 'ownerOf',
            args: [agentId],
          }),
        ),
      ),

    /** Finds the registrations by one initial owner, oldest first. */
    findRegistrations: async (
      registry: Hex,
      owner: Hex,
      blocks: { first: number; last: number },
    ): Promise<({ agentId: bigint; agentURI: string } & EventPosition)[]> => {
      const logs = await readEvents(
        { client, call },
        (node, range) =>
          node.getContractEvents({
            address: registry,
            abi,
            eventName: 'Registered',
            args: { owner },
            strict: true,
            ...range,
          }),
        blocks,
      )
      return logs.map((log) => ({
        agentId: log.args.agentId,
        agentURI: log.args.agentURI,
        ...eventPositionOf(log),
      }))
    },

    /** Finds the latest transfer of a token from one owner to another; null if there is none. */
    findTransfer: async (
      registry: Hex,
      transfer: { agentId: bigint; from: Hex; to: Hex },
      blocks: { first: number; last: number },
    ): Promise<EventPosition | null> => {
      const logs = await readEvents(
        { client, call },
        (node, range) =>
          node.getContractEvents({
            address: registry,
            abi,
            eventName: 'Transfer',
            args: { from: transfer.from, to: transfer.to, tokenId: transfer.agentId },
            strict: true,
            ...range,
          }),
        blocks,
      )
      const last = logs.at(-1)
      return last ? eventPositionOf(last) : null
    },

    /** Decodes the registration that a transaction made; null if it made none in this registry. */
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
