import type { ChainClient } from '../../../chain/chainClient.ts'
import type { Hex } from '../../../chain/chainTypes.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'
import { findBlocksSince } from './findBlocksSince.ts'

/** Retry interval while a replayed registry has not reached this agent. */
const NOT_MINTED_RETRY_MS = 1_000

type SetTokenUriDeps = {
  chain: ChainClient
  agents: Pick<AgentStore, 'bySvcId'>
  /** Reads the token again, and queues another change if its URI is not the current one. */
  onTokenChanged: (svcId: string) => Promise<void>
}

/**
 * `identity.setUri`: changes the URI of a token that the relayer holds or is approved for.
 *
 * A token that has the URI already, because the process was killed or the owner has set it, is left alone.
 */
export function setTokenUri({ chain, agents, onTokenChanged }: SetTokenUriDeps): IntentHandler {
  return {
    choosesSender: true,

    async prepare(intent, context) {
      const { deployment, headBlock, relayer } = context
      const { svcId, uri } = setUriOf(intent)
      const agentId = BigInt(setUriOf(intent).agentId)
      const registry = deployment.identityRegistry
      const agent = await agents.bySvcId(svcId)
      const token = await chain.identity.readToken(registry, agentId, headBlock)
      if (agent?.blockchainStatus !== 'verified' || token === null) {
        return { next: 'wait', why: `agent ${agentId} is not final on chain`, retryMs: NOT_MINTED_RETRY_MS }
      }
      if (token.uri === uri) {
        const blocks = await findBlocksSince(chain, intent, context)
        const place = await chain.identity.findUriChange(registry, agentId, blocks)
        if (place === null) return { next: 'fail', why: `agent ${agentId} already had this URI` }
        return { next: 'adopt', place, result: null }
      }
      const data = chain.identity.encodeSetUri(agentId, uri)
      const from = (await findEntitled(chain, registry, agentId)) ?? relayer
      const simulated = await chain.simulate({ to: registry, data }, from)
      if ('refusal' in simulated) return { next: 'fail', why: simulated.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: simulated.gas, from }
    },

    notifyUndone: (intent) => onTokenChanged(setUriOf(intent).svcId),

    notifyConfirmed: (intent) => onTokenChanged(setUriOf(intent).svcId),
  }
}

function setUriOf(intent: Intent) {
  return INTENT_PAYLOADS['identity.setUri'].parse(intent.payload)
}

/** An account of the relayer that holds the token or is approved for it. */
async function findEntitled(chain: ChainClient, registry: Hex, agentId: bigint): Promise<Hex | undefined> {
  for (const account of chain.relayers) {
    if (await chain.identity.isAuthorized(registry, account, agentId)) return account
  }
  return undefined
}
