import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { apiError } from '../../../errors.ts'
import { keyRevocationOf } from '../../verification/keyRevocationOf.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { buildAgentKeyRecord } from './buildAgentKeyRecord.ts'
import { changeKeysOfAgent, type KeyOwner } from './changeKeysOfAgent.ts'
import { toAgentKeyView } from './toAgentKeyView.ts'

export type RevokeAgentKeyInput = { id: string; kid: string; principal: KeyOwner; now: number }

/** How many revoked keys of an agent are remembered, so that the list stays short while keys rotate. */
const REVOKED_MAX = 100

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
  const { randomBytes } = deps.settings
  return changeKeysOfAgent(deps, { id, principal, kid }, async (trx, agent) => {
    const key = (await deps.agentKeys.ofAgent(agent.svcId, trx)).find((stored) => stored.kid === kid)
    if (key === undefined) throw apiError('NOT_FOUND')
    if (!(await deps.agentKeys.revoke(trx, { agentId: agent.svcId, kid, at: now })))
      return toAgentKeyView(key)
    await deps.agentKeys.forgetRevoked(trx, agent.svcId, REVOKED_MAX)
    await deps.usedProofs.addRevocations(trx, [keyRevocationOf({ agentId: agent.svcId, kid })], now)
    const change = { agent, key, principal }
    await deps.records.append(trx, buildAgentKeyRecord('agent.key_revoked', change, { now, randomBytes }))
    return toAgentKeyView({ ...key, revokedAt: now })
  })
}
