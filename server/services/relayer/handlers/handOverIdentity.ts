import type { ChainClient } from '../../../chain/chainClient.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'
import { isSameAddress } from '../notifications.ts'
import { findBlocksSince } from './findBlocksSince.ts'

/** Retry interval while a replayed registry has not reached this agent. */
const NOT_MINTED_RETRY_MS = 1_000

type HandOverDeps = {
  chain: ChainClient
  agents: Pick<AgentStore, 'bySvcId'>
  /** Reads the token again, which updates the agent's record. */
  onTokenChanged: (svcId: string) => Promise<void>
}

/**
 * `identity.handOver`: transfers a token that the relayer keeps to its owner's wallet, which also clears the `agentWallet`.
 *
 * A repeated call finds the transfer on chain. A token that has gone elsewhere in the meantime is left alone.
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
        const simulated = await chain.simulate({ to: registry, data })
        if ('refusal' in simulated) return { next: 'fail', why: simulated.refusal.message }
        return { next: 'send', call: { to: registry, data }, gas: simulated.gas }
      }
      const place = await chain.identity.findTransfer(
        registry,
        { agentId, from: chain.relayerAddress, to },
        await findBlocksSince(chain, intent, context),
      )
      if (place) return { next: 'adopt', place, result: null }
      return { next: 'fail', why: `agent ${agentId} belongs to ${holder}` }
    },

    notifyUndone: (intent) => onTokenChanged(handOverOf(intent).svcId),

    notifyConfirmed: (intent) => onTokenChanged(handOverOf(intent).svcId),
  }
}

function handOverOf(intent: Intent) {
  return INTENT_PAYLOADS['identity.handOver'].parse(intent.payload)
}
