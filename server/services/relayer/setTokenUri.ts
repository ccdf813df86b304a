import type { ChainClient } from '../../chain/chainClient.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { blocksSince } from './blocksSince.ts'
import type { IntentHandler } from './intentHandler.ts'
import { INTENT_PAYLOADS } from './intents.ts'

/** While a replayed registry has not got this far yet. */
const NOT_MINTED_RETRY_MS = 1_000

type SetTokenUriDeps = {
  chain: ChainClient
  agents: Pick<AgentStore, 'bySvcId'>
  /** Reads the token anew, and asks for another change when the URI is no longer the one that is wanted. */
  onTokenChanged: (svcId: string) => Promise<void>
}

/**
 * `identity.setUri`: another URI for a token that the relayer holds, or whose owner has approved it.
 *
 * A token that has the URI already, because the process was killed or the owner was faster, is left alone.
 */
export function setTokenUri({ chain, agents, onTokenChanged }: SetTokenUriDeps): IntentHandler {
  return {
    async prepare(intent, context) {
      const { deployment, headBlock } = context
      const { svcId, uri } = setUriOf(intent)
      const agentId = BigInt(setUriOf(intent).agentId)
      const registry = deployment.identityRegistry
      const agent = await agents.bySvcId(svcId)
      const token = await chain.identity.readToken(registry, agentId, headBlock)
      if (agent?.blockchainStatus !== 'verified' || token === null) {
        return { next: 'wait', why: `agent ${agentId} is not final on chain`, retryMs: NOT_MINTED_RETRY_MS }
      }
      if (token.uri === uri) {
        const blocks = await blocksSince(chain, intent, context)
        const place = await chain.identity.findUriChange(registry, agentId, blocks)
        if (place === null) return { next: 'fail', why: `agent ${agentId} has this URI from before` }
        return { next: 'adopt', place, result: null }
      }
      const data = chain.identity.encodeSetUri(agentId, uri)
      const tried = await chain.simulate({ to: registry, data })
      if ('refusal' in tried) return { next: 'fail', why: tried.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: tried.gas }
    },

    takenBack: (intent) => onTokenChanged(setUriOf(intent).svcId),

    tell: (intent) => onTokenChanged(setUriOf(intent).svcId),
  }
}

function setUriOf(intent: Intent) {
  return INTENT_PAYLOADS['identity.setUri'].parse(intent.payload)
}
