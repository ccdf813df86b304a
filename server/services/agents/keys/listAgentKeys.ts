import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { apiError } from '../../../errors.ts'
import type { AgentKeyStore } from '../../../store/agents/agentKeyStore.ts'
import type { AgentStore } from '../../../store/agents/agentStore.ts'
import { actsForOf } from '../../actsForOf.ts'
import type { Principal } from '../../principal.ts'
import { toAgentKeyView } from './toAgentKeyView.ts'

export type ListAgentKeysDeps = {
  agents: Pick<AgentStore, 'byAnyId'>
  agentKeys: Pick<AgentKeyStore, 'ofAgent'>
}

/**
 * Lists the keys of an agent, oldest first, in one page: all of them for the owner, for anyone else the active ones without
 * the names that the owner gave them.
 *
 * @throws ApiError NOT_FOUND.
 */
export async function listAgentKeys(
  { agents, agentKeys }: ListAgentKeysDeps,
  { id, principal }: { id: string; principal: Principal },
): Promise<StoredAgentKey[]> {
  const agent = await agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  const keys = (await agentKeys.ofAgent(agent.svcId)).map(toAgentKeyView)
  if (actsForOf(principal).has(agent.ownerId)) return keys
  return keys.filter(({ status }) => status === 'active').map((key) => ({ ...key, name: null }))
}
