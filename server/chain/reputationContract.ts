import { encodeFunctionData } from 'viem'
import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { EventPosition, Hex } from './chainTypes.ts'
import { eventPositionOf } from './placeOf.ts'
import { readEvents } from './readEvents.ts'

const { abi } = reputationRegistry

type Feedback = {
  agentId: bigint
  value: number
  tag1: string
  tag2: string
  feedbackURI: string
  feedbackHash: Hex
}

/** The registry that keeps what clients say of agents. Source: onchain.md "Reputation"; EIP-8004. */
export function createReputationContract({ client, call }: Transport) {
  return {
    /** Feedback of the sender, a whole number without an endpoint. */
    encodeGiveFeedback: ({ agentId, value, tag1, tag2, feedbackURI, feedbackHash }: Feedback): Hex =>
      encodeFunctionData({
        abi,
        functionName: 'giveFeedback',
        args: [agentId, BigInt(value), 0, tag1, tag2, '', feedbackURI, feedbackHash],
      }),

    /** Where a client gave the feedback with this hash; null when it did not. */
    findFeedback: async (
      registry: Hex,
      given: { agentId: bigint; clientAddress: Hex; feedbackHash: Hex },
      blocks: { first: number; last: number },
    ): Promise<EventPosition | null> => {
      const { agentId, clientAddress } = given
      const logs = await readEvents(
        (range) =>
          client().getContractEvents({
            address: registry,
            abi,
            eventName: 'NewFeedback',
            args: { agentId, clientAddress },
            strict: true,
            ...range,
          }),
        blocks.first,
        blocks.last,
        { call },
      )
      const log = logs.find(({ args }) => args.feedbackHash === given.feedbackHash)
      return log === undefined ? null : eventPositionOf(log)
    },
  }
}
