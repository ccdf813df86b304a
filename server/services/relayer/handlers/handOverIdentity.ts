import { isSameHex } from '@svc/core/isSameHex.ts'
import type { ChainClient } from '../../../chain/chainClient.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { InterventionStore } from '../../../store/operator/interventionStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'
import { findBlocksSince } from './findBlocksSince.ts'
import { transferKept } from './transferKept.ts'

/** Retry interval while a replayed registry has not reached this agent. */
const NOT_MINTED_RETRY_MS = 1_000

type HandOverDeps = {
  chain: ChainClient
  agents: Pick<AgentStore, 'bySvcId'>
  interventions: Pick<InterventionStore, 'find'>
  /** Reads the token again, which updates the agent's record. */
  onTokenChanged: (svcId: string) => Promise<void>
}

/**
 * `identity.handOver`: transfers a token that the relayer holds to its owner's wallet, or to its present account; either
 * clears the `agentWallet`.
 *
 * A repeated call finds the transfer on chain. A token that has gone elsewhere in the meantime is left alone.
 *
 * The order of an owner who was suspended before the transfer was signed fails, and can be repeated after the suspension. It
 * does not wait, because the orders of an owner with many agents would keep those of others out of the queue.
 */
export function handOverIdentity(deps: HandOverDeps): IntentHandler {
  const { chain, agents, interventions, onTokenChanged } = deps
  const isKept = (to: string) => chain.relayers.some((account) => isSameHex(account, to))
  return {
    choosesSender: true,

    async prepare(intent, context) {
      const { svcId, to } = handOverOf(intent)
      const agentId = BigInt(handOverOf(intent).agentId)
      const registry = context.deployment.identityRegistry
      const agent = await agents.bySvcId(svcId)
      const holder = await chain.identity.readOwner(registry, agentId)
      if (agent?.blockchainStatus !== 'verified' || holder === null) {
        return { next: 'wait', why: `agent ${agentId} is not final on chain`, retryMs: NOT_MINTED_RETRY_MS }
      }
      const token = { registry, agentId, holder, to }
      const moved = await transferKept(chain, token, await findBlocksSince(chain, intent, context))
      if (moved?.next === 'send' && !isKept(to) && (await interventions.find(agent.ownerId)) !== null) {
        return { next: 'fail', why: `the owner of agent ${agentId} is suspended` }
      }
      return moved ?? { next: 'fail', why: `agent ${agentId} belongs to ${holder}` }
    },

    notifyUndone: (intent) => onTokenChanged(handOverOf(intent).svcId),

    notifyConfirmed: (intent) => onTokenChanged(handOverOf(intent).svcId),
  }
}

function handOverOf(intent: Intent) {
  return INTENT_PAYLOADS['identity.handOver'].parse(intent.payload)
}
