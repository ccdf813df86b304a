import { encodeFunctionData, parseAbi } from 'viem'
import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex } from './chainTypes.ts'
import { orNull } from './nodeFailure.ts'
import { eventPositionOf, readEvents } from './readEvents.ts'

const { abi } = reputationRegistry
const erc165 = parseAbi(['function supportsInterface(bytes4 interfaceId) view returns (bool)'])

type Feedback = {
  agentId: bigint
  value: number
  tag1: string
  tag2: string
  feedbackHash: Hex
}

/** The registry that stores feedback on agents. Source: ERC-8004. */
export function createReputationContract({ client, call }: Transport) {
  return {
    /** Encodes feedback by the sender with an integer value, no endpoint and no address of a file. */
    encodeGiveFeedback: ({ agentId, value, tag1, tag2, feedbackHash }: Feedback): Hex =>
      encodeFunctionData({
        abi,
        functionName: 'giveFeedback',
        args: [agentId, BigInt(value), 0, tag1, tag2, '', '', feedbackHash],
      }),

    /** Finds the feedback that a client gave with this hash; null if there is none. */
    findFeedback: async (
      registry: Hex,
      given: { agentId: bigint; clientAddress: Hex; feedbackHash: Hex },
      blocks: { first: number; last: number },
    ): Promise<EventPosition | null> => {
      const { agentId, clientAddress } = given
      const logs = await readEvents(
        { client, call },
        (node, range) =>
          node.getContractEvents({
            address: registry,
            abi,
            eventName: 'NewFeedback',
            args: { agentId, clientAddress },
            strict: true,
            ...range,
          }),
        blocks,
      )
      const log = logs.find(({ args }) => args.feedbackHash === given.feedbackHash)
      return log === undefined ? null : eventPositionOf(log)
    },
  }
}

/** Of ERC-721 in ERC-165, which a registry of identities implements. Source: EIP-721. */
const ERC721_INTERFACE = '0x80ac58cd'

/**
 * Reads the link between a reputation or validation registry and its identity registry, which is the same function in both.
 */
export function createRegistryLink({ client, call }: Transport) {
  return {
    /** Whether the contract at an address has tokens, as a registry of identities does. */
    hasTokens: (registry: Hex): Promise<boolean> =>
      call(async () => {
        const supports = { abi: erc165, functionName: 'supportsInterface', args: [ERC721_INTERFACE] } as const
        return (await orNull(client().readContract({ address: registry, ...supports }))) ?? false
      }),

    /** Reads the identity registry of a registry; null if the contract has no such function. */
    readIdentityRegistry: (registry: Hex): Promise<Hex | null> =>
      call(() =>
        orNull(
          client().readContract({
            address: registry,
            abi,
            functionName: 'getIdentityRegistry',
          }),
        ),
      ),
  }
}
