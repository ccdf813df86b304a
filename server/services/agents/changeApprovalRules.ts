import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { type Expectation, requireExpected } from '../requireExpected.ts'
import { buildAgentRecord } from './buildAgentRecord.ts'
import { findOwnAgent } from './findOwnAgent.ts'

export type ChangeApprovalRulesDeps = {
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId' | 'update'>
  records: Pick<AuditRecordStore, 'append'>
  onAgentChanged(svcId: string): void
  writeAs: WriteAs
  settings: Pick<RegistrySettings, 'randomBytes'>
}

export type ChangeApprovalRulesInput = {
  id: string
  principal: SessionPrincipal
  rules: ApprovalRule[]
  isExpected: Expectation
  now: number
}

/**
 * Replaces an agent's approval rules; the immutable boundary is separate.
 *
 * Decisions after the response follow the new rules. Setting the current rules again records nothing.
 *
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED, as `requireWriter`. Source: `Spec: Authentication` 8.
 */
export async function changeApprovalRules(
  deps: ChangeApprovalRulesDeps,
  { id, principal, rules, isExpected, now }: ChangeApprovalRulesInput,
): Promise<readonly ApprovalRule[]> {
  const found = await findOwnAgent(deps.agents, { id, principal, toWrite: true })
  const writer = { principal, ownerId: found.ownerId }
  await deps.writeAs(writer, [`agent ${found.svcId}`], async (trx) => {
    const agent = (await deps.agents.bySvcId(found.svcId, trx)) ?? found
    requireExpected(isExpected, 'approvalRules', { rules: agent.approvalRules })
    if (canonicaliseJson(agent.approvalRules) === canonicaliseJson(rules)) return
    await deps.agents.update(trx, agent.svcId, { approvalRules: rules, updatedAt: now })
    await deps.records.append(trx, buildChangedRecord(deps, agent, principal, rules, now))
  })
  deps.onAgentChanged(found.svcId)
  return rules
}

function buildChangedRecord(
  { settings }: ChangeApprovalRulesDeps,
  agent: AgentRow,
  { userId }: SessionPrincipal,
  rules: ApprovalRule[],
  now: number,
) {
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.approval_rules_changed',
      eventData: { dimensions: [...new Set(rules.map((rule) => rule.dimension))] },
      inputs: { changedBy: userId, before: agent.approvalRules, after: rules },
    },
    { now, randomBytes: settings.randomBytes },
  )
}
