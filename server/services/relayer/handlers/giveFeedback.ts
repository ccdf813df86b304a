import type { ChainClient } from '../../../chain/chainClient.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'
import { findBlocksSince } from './findBlocksSince.ts'

/** Retry interval while the agent's identity is not final: a tenth of the time that it has waited, within bounds. */
const NOT_MINTED_RETRY = { leastMs: 10_000, mostMs: 3_600_000, share: 0.1 }

type GiveFeedbackDeps = { chain: ChainClient; agents: Pick<AgentStore, 'bySvcId'> }

/**
 * `reputation.feedback`: publishes a counterparty's decision about an agent in the reputation registry.
 *
 * The feedback's hash identifies the verification's audit record, so that the feedback is found again and given only once.
 * It is not given if the relayer holds the agent's token or is approved for it: the registry takes that for an owner's
 * feedback about its own agent.
 *
 * Source: EIP-8004.
 */
export function giveFeedback({ chain, agents }: GiveFeedbackDeps): IntentHandler {
  return {
    async prepare(intent, context) {
      const { svcId, ...feedback } = feedbackOf(intent)
      const agent = await agents.bySvcId(svcId)
      if (!agent || agent.blockchainStatus === 'failed' || agent.foreignToken !== null) {
        return { next: 'fail', why: `agent ${svcId} has no identity on this chain` }
      }
      if (agent.blockchainStatus !== 'verified' || agent.chainAgentId === null) {
        const retryMs = retryAfter(context.now - intent.createdAt)
        return { next: 'wait', why: `agent ${svcId} is not final on chain`, retryMs }
      }
      const agentId = BigInt(agent.chainAgentId)
      const registry = context.deployment.reputationRegistry
      if (context.mustSearch) {
        const blocks = await findBlocksSince(chain, intent, context)
        for (const clientAddress of chain.relayers) {
          const given = { agentId, clientAddress, feedbackHash: feedback.feedbackHash }
          const place = await chain.reputation.findFeedback(registry, given, blocks)
          if (place) return { next: 'adopt', place, result: null }
        }
      }
      const { identityRegistry } = context.deployment
      for (const account of chain.relayers) {
        if (await chain.identity.isAuthorized(identityRegistry, account, agentId)) {
          return {
            next: 'fail',
            why: `the relayer may act for the token of agent ${agentId}, so it cannot give feedback`,
          }
        }
      }
      const data = chain.reputation.encodeGiveFeedback({ ...feedback, agentId })
      const simulated = await chain.simulate({ to: registry, data }, context.relayer)
      if ('refusal' in simulated) return { next: 'fail', why: simulated.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: simulated.gas }
    },
  }
}

function feedbackOf(intent: Intent) {
  return INTENT_PAYLOADS['reputation.feedback'].parse(intent.payload)
}

function retryAfter(waitedMs: number): number {
  const { leastMs, mostMs, share } = NOT_MINTED_RETRY
  return Math.min(mostMs, Math.max(leastMs, Math.round(waitedMs * share)))
}
