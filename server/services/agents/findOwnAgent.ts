import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'

/**
 * Finds an agent of the caller's account or organisations, to read what only its owner sees or to change it.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner; as `requireWriter` if `toWrite` is set.
 */
export async function findOwnAgent(
  agents: Pick<AgentStore, 'byAnyId'>,
  input: { id: string; principal: Principal; toWrite?: boolean },
): Promise<AgentRow> {
  const agent = await agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  if (!actsForOf(input.principal).has(agent.ownerId)) throw apiError('FORBIDDEN')
  if (input.toWrite) requireWriter(input.principal, agent.ownerId)
  return agent
}
