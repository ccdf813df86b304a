import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { apiError } from '../../../errors.ts'
import { buildAlert } from '../../alerts/createRaiseAlert.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { buildAgentKeyRecord } from './buildAgentKeyRecord.ts'
import { changeKeysOfAgent, type KeyOwner } from './changeKeysOfAgent.ts'
import { storeAgentKey } from './storeAgentKey.ts'
import { toAgentKeyView } from './toAgentKeyView.ts'

export type AddAgentKeyInput = {
  id: string
  principal: KeyOwner
  key: AgentKey
  name: string | null
  now: number
}

/**
 * Adds a public key to an agent, which can sign with it from the response on, and alerts the owner.
 *
 * Adding an active key again changes nothing and returns it as stored. A revoked key cannot come back: whoever stole it
 * would come back with it.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, KEY_TAKEN, INVALID_STATE for a retired agent, a revoked key or one key too many.
 */
export async function addAgentKey(
  deps: AgentKeyDeps,
  { id, principal, key, name, now }: AddAgentKeyInput,
): Promise<StoredAgentKey> {
  const kid = computeKeyThumbprint(key)
  const { randomBytes } = deps.settings
  return changeKeysOfAgent(deps, { id, principal, kid }, async (trx, agent) => {
    if (agent.status === 'retired') throw apiError('INVALID_STATE', { message: 'The agent is retired.' })
    const known = (await deps.agentKeys.ofAgent(agent.svcId, trx)).find((stored) => stored.kid === kid)
    if (known?.revokedAt === null) return toAgentKeyView(known)
    if (known) throw apiError('INVALID_STATE', { message: 'This key was revoked; generate another.' })
    const row = await storeAgentKey(deps, trx, { agent, key, name, now })
    const change = { agent, key: row, principal }
    await deps.records.append(trx, buildAgentKeyRecord('agent.key_added', change, { now, randomBytes }))
    const data = { agentId: agent.svcId, kid }
    const { ownerId } = agent
    const alert = { ownerId, code: 'agent.key_added', severity: 'warning', subject: kid, data } as const
    await deps.alerts.raise(buildAlert(alert, { now, randomBytes }), trx)
    return toAgentKeyView(row)
  })
}
