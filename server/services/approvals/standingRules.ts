import type { StandingRule } from '@svc/core/contract/standingApprovals.ts'
import { apiError } from '../../errors.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import type { ListedStanding, StandingApprovalStore } from '../../store/approvals/standingApprovalStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import { findOwnAgent } from '../agents/findOwnAgent.ts'
import type { SessionPrincipal } from '../principal.ts'
import { buildStandingRecord } from './buildStandingRecord.ts'

export type ListStandingDeps = {
  agents: Pick<AgentStore, 'byAnyId'>
  standing: Pick<StandingApprovalStore, 'ofAgent'>
}

/** @param id `SVC-` identifier or UUID of the agent. */
type OfAgent = { id: string; principal: SessionPrincipal }

/**
 * Lists what the owner of an agent has approved in advance, newest first; what is used up stays until it expires.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner.
 */
export async function listStandingRules(
  { agents, standing }: ListStandingDeps,
  { id, principal, now }: OfAgent & { now: number },
): Promise<StandingRule[]> {
  const agent = await findOwnAgent(agents, { id, principal })
  const found = await standing.ofAgent(agent.svcId, now)
  return found.filter(({ ownerId }) => ownerId === agent.ownerId).map(toStandingRule)
}

function toStandingRule(standing: ListedStanding): StandingRule {
  const { id, endpointId, endpointName, endpointHost, svceId, currency, createdAt, expiresAt } = standing
  const { amount, used, minIdentityProof } = standing
  return {
    ruleId: id,
    endpointId: svceId ?? endpointId,
    ...{ endpointName, endpointHost, amount, used, minIdentityProof },
    currency: currency || null,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

export type RemoveStandingDeps = {
  agents: Pick<AgentStore, 'byAnyId'>
  standing: Pick<StandingApprovalStore, 'remove'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
  clock: () => number
  writeAs: WriteAs
}

/**
 * Removes what the owner of an agent has approved in advance. Every decision after the response asks again, in every
 * process, because the deciding transaction reads the row. A session is sufficient, as for a denial.
 *
 * @throws ApiError NOT_FOUND, as `requireWriter`.
 */
export async function removeStandingRule(
  { agents, standing, records, randomBytes, clock, writeAs }: RemoveStandingDeps,
  { id, ruleId, principal }: OfAgent & { ruleId: string },
): Promise<void> {
  const agent = await findOwnAgent(agents, { id, principal, toWrite: true })
  const writer = { principal, ownerId: agent.ownerId }
  await writeAs(writer, [`agent ${agent.svcId}`], async (trx) => {
    const removed = await standing.remove(trx, agent.svcId, ruleId)
    if (removed === null) throw apiError('NOT_FOUND')
    const change = { change: 'standing_approval_removed', agentName: agent.name } as const
    const changed = { standing: removed, ...change, userId: principal.userId, now: clock() }
    await records.append(trx, buildStandingRecord(changed, randomBytes))
  })
}
