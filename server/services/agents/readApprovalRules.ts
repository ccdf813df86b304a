import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import { apiError } from '../../errors.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { SessionPrincipal } from '../principal.ts'

export type ReadApprovalRulesDeps = { agents: Pick<AgentStore, 'byAnyId'> }

/**
 * What the owner wants to be asked about, of one agent.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner. Source: api.md "Agents".
 */
export async function readApprovalRules(
  deps: ReadApprovalRulesDeps,
  input: { id: string; principal: SessionPrincipal },
): Promise<readonly ApprovalRule[]> {
  const agent = await deps.agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  if (!input.principal.actsFor.has(agent.ownerId)) throw apiError('FORBIDDEN')
  return agent.approvalRules
}
