import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'

/**
 * Finds whose caps an agent uses up: the highest ancestor from which it inherits its boundary, otherwise itself. A boundary
 * and a parent never change.
 */
export async function findCapHolder(
  agents: Pick<AgentStore, 'bySvcId'>,
  row: Pick<AgentRow, 'svcId' | 'parentAgentId'>,
): Promise<string> {
  let { svcId, parentAgentId } = row
  while (parentAgentId !== null) {
    const parent = await agents.bySvcId(parentAgentId)
    if (parent?.pdlss.selfInstantiation?.inheritPermissions !== true) break
    ;({ svcId, parentAgentId } = parent)
  }
  return svcId
}
