import type { ChainClient } from '../../chain/chainClient.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { blocksSince } from './blocksSince.ts'
import type { IntentHandler } from './intentHandler.ts'
import { INTENT_PAYLOADS } from './intents.ts'

/** While the agent's identity is on its way. */
const NOT_MINTED_RETRY_MS = 10_000

type GiveFeedbackDeps = { chain: ChainClient; agents: Pick<AgentStore, 'bySvcId'> }

/**
 * `reputation.feedback`: what a counterparty decided about an agent, in the public registry.
 *
 * The feedback's hash names the decision's audit record, so that it is found again and given once. An agent whose token
 * the relayer holds, or may act for by its owner's approval, gets none: to the registry that is an owner about its own.
 *
 * Source: onchain.md "Reputation"; EIP-8004.
 */
export function giveFeedback({ chain, agents }: GiveFeedbackDeps): IntentHandler {
  return {
    async prepare(intent, context) {
      const { svcId, ...feedback } = feedbackOf(intent)
      const agent = await agents.bySvcId(svcId)
      if (!agent || agent.blockchainStatus === 'failed') {
        return { next: 'fail', why: `agent ${svcId} has no identity on chain` }
      }
      if (agent.blockchainStatus !== 'verified' || agent.chainAgentId === null) {
        return { next: 'wait', why: `agent ${svcId} is not final on chain`, retryMs: NOT_MINTED_RETRY_MS }
      }
      const agentId = BigInt(agent.chainAgentId)
      const registry = context.deployment.reputationRegistry
      if (context.mustLook) {
        const given = { agentId, clientAddress: chain.relayerAddress, feedbackHash: feedback.feedbackHash }
        const blocks = await blocksSince(chain, intent, context)
        const place = await chain.reputation.findFeedback(registry, given, blocks)
        if (place) return { next: 'adopt', place, result: null }
      }
      const { identityRegistry } = context.deployment
      if (await chain.identity.isAuthorized(identityRegistry, chain.relayerAddress, agentId)) {
        return {
          next: 'fail',
          why: `the relayer may act for the token of agent ${agentId}, and so give it no feedback`,
        }
      }
      const data = chain.reputation.encodeGiveFeedback({ ...feedback, agentId })
      const tried = await chain.simulate({ to: registry, data })
      if ('refusal' in tried) return { next: 'fail', why: tried.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: tried.gas }
    },
  }
}

function feedbackOf(intent: Intent) {
  return INTENT_PAYLOADS['reputation.feedback'].parse(intent.payload)
}
