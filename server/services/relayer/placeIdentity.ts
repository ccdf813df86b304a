import type { ChainClient } from '../../chain/chainClient.ts'
import type { IntentHandler } from './intentHandler.ts'
import { INTENT_PAYLOADS } from './intents.ts'
import { mintResult } from './mintResult.ts'

/**
 * `identity.placeholder`: takes an id that somebody else's agent had on the former development chain, so that the
 * agents after it get theirs again.
 */
export function placeIdentity({ chain }: { chain: ChainClient }): IntentHandler {
  return {
    async prepare(intent, { deployment, mustLook }) {
      const { agentId } = INTENT_PAYLOADS['identity.placeholder'].parse(intent.payload)
      const registry = deployment.identityRegistry
      if (mustLook && (await chain.identity.readOwner(registry, BigInt(agentId))) !== null) {
        return { next: 'fail', why: `agent ${agentId} is there already` }
      }
      const data = chain.identity.encodeRegisterEmpty()
      const tried = await chain.simulate({ to: registry, data })
      if ('refusal' in tried) return { next: 'fail', why: tried.refusal.message }
      return { next: 'send', call: { to: registry, data }, gas: tried.gas }
    },

    resultOf(receipt, { deployment }) {
      const registered = chain.identity.decodeRegistration(deployment.identityRegistry, receipt)
      return registered && mintResult.parse({ agentId: String(registered.agentId), holder: registered.owner })
    },
  }
}
