import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { apiError } from '../../../errors.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { changeKeysOfAgent, type KeyOwner } from './changeKeysOfAgent.ts'
import { storeRevocation } from './storeRevocation.ts'
import { toAgentKeyView } from './toAgentKeyView.ts'

export type RevokeAgentKeyInput = { id: string; kid: string; principal: KeyOwner; now: number }

/**
 * Revokes a key of an agent, even a retired one: the next request that it signed is refused, in every process.
 *
 * Revoking a revoked key changes nothing and returns it.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN.
 */
export async function revokeAgentKey(
  deps: AgentKeyDeps,
  { id, kid, principal, now }: RevokeAgentKeyInput,
): Promise<StoredAgentKey> {
  return changeKeysOfAgent(deps, { id, principal, kid }, async (trx, agent) => {
    const key = (await deps.agentKeys.ofAgent(agent.svcId, trx)).find((stored) => stored.kid === kid)
    if (key === undefined) throw apiError('NOT_FOUND')
    const isNew = await storeRevocation(deps, trx, { agent, key, principal, now })
    return toAgentKeyView(isNew ? { ...key, revokedAt: now } : key)
  })
}
