import type { ChainClient } from '../../chain/chainClient.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import { blocksSince } from './blocksSince.ts'
import type { IntentHandler } from './intentHandler.ts'
import { INTENT_PAYLOADS } from './intents.ts'
import { isSameAddress } from './isSameAddress.ts'

/** While a replayed registry has not got this far yet. */
const NOT_MINTED_RETRY_MS = 1_000

type HandOverDeps = {
  chain: ChainClient
  agents: Pick<AgentStore, 'bySvcId'>
  /** Reads the token anew, which is how the agent's record learns of it. */
  onTokenChanged: (svcId: string) => Promise<void>
}

/**
 * `identity.handOver`: a token that the relayer keeps goes to its owner's wallet; the transfer clears the `agentWallet`.
 *
 * Called again it finds the transfer on chain. A token that went elsewhere meanwhile is left where it is.
 */
export function handOverIdentity({ chain, agents, onTokenChanged }: HandOverDeps): IntentHandler {
  return {
    async prepare(intent, context) {
      const { svcId, to } = handOverOf(intent)
      const agentId = BigInt(handOverOf(intent).agentId)
      const registry = context.deployment.identityRegistry
      const agent = await agents.bySvcId(svcId)
      const holder = await chain.identity.readOwner(registry, agentId)
      if (agent?.blockchainStatus !== 'verified' || holder === null) {
        return { next: 'wait', why: `agent ${agentId} is not final on chain`, retryMs: NOT_MINTED_RETRY_MS }
      }
      if (isSameAddress(holder, chain.relayerAddress)) {
        const data = chain.identity.encodeTransfer(chain.relayerAddress, to, agentId)
        const tried = await chain.simulate({ to: registry, data })
        if ('refusal' in tried) return { next: 'fail', why: tried.refusal.message }
        return { next: 'send', call: { to: registry, data }, gas: tried.gas }
      }
      const place = await chain.identity.findTransfer(
        registry,
        { agentId, from: chain.relayerAddress, to },
        await blocksSince(chain, intent, context),
      )
      if (place) return { next: 'adopt', place, result: null }
      return { next: 'fail', why: `agent ${agentId} belongs to ${holder}` }
    },

    takenBack: (intent) => onTokenChanged(handOverOf(intent).svcId),

    tell: (intent) => onTokenChanged(handOverOf(intent).svcId),
  }
}

function handOverOf(intent: Intent) {
  return INTENT_PAYLOADS['identity.handOver'].parse(intent.payload)
}
