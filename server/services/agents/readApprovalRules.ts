import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { findOwnAgent } from './findOwnAgent.ts'

export type ReadApprovalRulesDeps = { agents: Pick<AgentStore, 'byAnyId'> }

/**
 * Returns an agent's approval rules.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner.
 */
export async function readApprovalRules(
  deps: ReadApprovalRulesDeps,
  input: { id: string; principal: SessionPrincipal },
): Promise<readonly ApprovalRule[]> {
  return (await findOwnAgent(deps.agents, input)).approvalRules
}
