import type { AgentKeyRow } from '../../../store/agents/agentKeyStore.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import { keyRevocationOf } from '../../verification/proofs/keyRevocationOf.ts'
import type { AgentKeyDeps } from './agentKeyDeps.ts'
import { buildAgentKeyRecord } from './buildAgentKeyRecord.ts'
import type { KeyOwner } from './changeKeysOfAgent.ts'

/** How many revoked keys of an agent are listed, so that the list stays short while keys rotate. */
const REVOKED_MAX = 100

export type StoreRevocationInput = {
  agent: AgentRow
  key: AgentKeyRow
  /** Null if somebody else proved to hold the key. */
  principal: KeyOwner | null
  now: number
}

/**
 * Revokes a key of an agent in the transaction of a use case, with its record; false, storing nothing, if it was revoked
 * before. Its grants are withdrawn with it.
 */
export async function storeRevocation(
  deps: Pick<AgentKeyDeps, 'agentKeys' | 'usedProofs' | 'records' | 'settings'>,
  trx: Parameters<AgentKeyDeps['agentKeys']['revoke']>[0],
  { now, ...change }: StoreRevocationInput,
): Promise<boolean> {
  const { kid, agentId } = change.key
  if (!(await deps.agentKeys.revoke(trx, { agentId, kid, at: now }))) return false
  await deps.agentKeys.forgetRevoked(trx, agentId, REVOKED_MAX)
  await deps.usedProofs.addRevocations(trx, [keyRevocationOf({ agentId, kid })], now)
  const { randomBytes } = deps.settings
  await deps.records.append(trx, buildAgentKeyRecord('agent.key_revoked', change, { now, randomBytes }))
  return true
}
