import type { ChainClient } from '../../../chain/chainClient.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'
import { mintResult } from './buildIdentityRecord.ts'

/**
 * `identity.placeholder`: uses up an id that someone else's agent had on the former development chain, so that the agents
 * after it get their ids again.
 */
export function registerPlaceholder({ chain }: { chain: ChainClient }): IntentHandler {
  return {
    async prepare(intent, { deployment, mustSearch, relayer }) {
      const { agentId } = INTENT_PAYLOADS['identity.placeholder'].parse(intent.payload)
      const registry = deployment.identityRegistry
      if (mustSearch && (await chain.identity.readOwner(registry, BigInt(agentId))) !== null) {
        return { next: 'fail', why: `agent ${agentId} exists already` }
      }
      const data = chain.identity.encodeRegisterEmpty()
      const simulated = await chain.simulate({ to: registry, data }, relayer)
      if ('refusal' in simulated) return { next: 'fail', why: simulated.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: simulated.gas }
    },

    resultOf(receipt, { deployment }) {
      const registered = chain.identity.decodeRegistration(deployment.identityRegistry, receipt)
      return registered && mintResult.parse({ agentId: String(registered.agentId), holder: registered.owner })
    },
  }
}
