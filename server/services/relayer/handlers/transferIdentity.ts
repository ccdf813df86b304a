import { isSameHex } from '@svc/core/isSameHex.ts'
import type { ChainClient } from '../../../chain/chainClient.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS } from '../intents.ts'
import { buildIdentityRecord, NOT_ON_CHAIN } from './buildIdentityRecord.ts'
import { findBlocksSince } from './findBlocksSince.ts'
import { transferKept } from './transferKept.ts'

type TransferDeps = {
  chain: ChainClient
  agents: AgentStore
  onIdentityConfirmed: (svcId: string) => Promise<void>
}

/**
 * `identity.transfer`: transfers an identity, which the relayer holds since it minted it, to the agent's owner. The agent is
 * then verified.
 */
export function transferIdentity({ chain, agents, onIdentityConfirmed }: TransferDeps): IntentHandler {
  return {
    choosesSender: true,

    async prepare(intent, context) {
      const { owner, agentId } = transferOf(intent)
      const registry = context.deployment.identityRegistry
      const holder = await chain.identity.readOwner(registry, BigInt(agentId))
      if (holder === null) return { next: 'wait', why: `the chain has no agent ${agentId}`, retryMs: 10_000 }
      const token = { registry, agentId: BigInt(agentId), holder, to: owner }
      const moved = await transferKept(chain, token, await findBlocksSince(chain, intent, context))
      if (moved !== null) return moved
      if (isSameHex(holder, owner)) {
        // The transfer is in a block newer than this round's head.
        return { next: 'wait', why: `the transfer of agent ${agentId} is not visible yet`, retryMs: 1_000 }
      }
      return { next: 'fail', why: `agent ${agentId} belongs to ${holder}` }
    },

    async whenConfirmed(trx, { intent }, context) {
      const { svcId, agentId, transaction, block } = transferOf(intent)
      await agents.update(trx, svcId, buildIdentityRecord({ agentId, hash: transaction, block }, context))
    },

    async whenUnmined(trx, intent) {
      await agents.update(trx, transferOf(intent).svcId, NOT_ON_CHAIN)
    },

    async whenFailed(trx, intent, { now }) {
      await agents.update(trx, transferOf(intent).svcId, { blockchainStatus: 'failed', updatedAt: now })
    },

    notifyUndone: (intent) => onIdentityConfirmed(transferOf(intent).svcId),

    notifyConfirmed: (intent) => onIdentityConfirmed(transferOf(intent).svcId),
  }
}

function transferOf(intent: Intent) {
  return INTENT_PAYLOADS['identity.transfer'].parse(intent.payload)
}
