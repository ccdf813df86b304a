import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'

export type ChangeApprovalRulesDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId' | 'update'>
  records: Pick<AuditRecordStore, 'append'>
  onAgentChanged(svcId: string): void
  settings: Pick<RegistrySettings, 'randomBytes'>
}

export type ChangeApprovalRulesInput = {
  id: string
  principal: SessionPrincipal
  rules: ApprovalRule[]
  now: number
}

/**
 * Sets what the owner wants to be asked about, of one agent; the boundary beside it never changes.
 *
 * Decisions made after the answer follow the new rules. The same rules again record nothing.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for who may not write for the owner. Source: verification.md "Owner's approval
 *   rules"; api.md "Agents".
 */
export async function changeApprovalRules(
  deps: ChangeApprovalRulesDeps,
  { id, principal, rules, now }: ChangeApprovalRulesInput,
): Promise<readonly ApprovalRule[]> {
  const found = await deps.agents.byAnyId(id)
  if (!found) throw apiError('NOT_FOUND')
  if (!mayWriteFor(principal, found.ownerId)) throw apiError('FORBIDDEN')
  await deps.db.transaction(async (trx) => {
    const agent = (await deps.agents.bySvcId(found.svcId, trx)) ?? found
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
  return createAuditRecord(
    {
      eventType: 'agent.approval_rules_changed',
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, dimensions: [...new Set(rules.map((rule) => rule.dimension))] },
      inputs: { changedBy: userId, before: agent.approvalRules, after: rules },
    },
    now,
    settings.randomBytes,
  )
}

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
