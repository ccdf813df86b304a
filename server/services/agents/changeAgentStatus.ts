import { apiError } from '../../errors.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireWriter } from '../requireWriter.ts'
import { type SettleSubAgentsDeps, settleSubAgents } from './registration/settleSubAgents.ts'
import { commitRegistrationFile } from './registrationFile/commitRegistrationFile.ts'

export type ChangeAgentStatusDeps = SettleSubAgentsDeps & {
  db: Pick<Db, 'transaction'>
  publishFile(svcId: string): Promise<void>
  onAgentChanged(svcId: string): void
}

export type ChangeAgentStatusInput = { id: string; principal: SessionPrincipal; now: number }

/** Source: `Spec: States`. */
const STEPS = {
  suspend: { from: ['active'], to: 'suspended', event: 'agent.suspended' },
  resume: { from: ['suspended'], to: 'active', event: 'agent.resumed' },
  retire: { from: ['active', 'suspended'], to: 'retired', event: 'agent.retired' },
} as const satisfies Record<
  string,
  { from: readonly AgentRow['status'][]; to: AgentRow['status']; event: string }
>

export type AgentStep = keyof typeof STEPS

/**
 * Suspends, resumes or permanently retires an agent; from the response on, requests of an inactive agent are denied.
 *
 * The `active` member of the registration file and the commitment to the file follow, as do the agent's sub-agents. The
 * token does not change, because its URI points to the file.
 *
 * @returns The agent's identifier.
 * @throws ApiError NOT_FOUND, as `requireWriter`, INVALID_STATE for an impossible transition. Source:
 * docs/decisions/0012.
 */
export async function changeAgentStatus(
  deps: ChangeAgentStatusDeps,
  step: AgentStep,
  { id, principal, now }: ChangeAgentStatusInput,
): Promise<string> {
  const found = await deps.agents.byAnyId(id)
  if (!found) throw apiError('NOT_FOUND')
  requireWriter(principal, found.ownerId)
  const { svcId } = found
  const { from, to } = STEPS[step]
  const changed = await deps.db.transaction(async (trx) => {
    const before = await deps.agents.bySvcId(svcId, trx)
    if (!before || !from.some((status) => status === before.status)) throw apiError('INVALID_STATE')
    const after: AgentRow = { ...before, status: to, updatedAt: now }
    await deps.agents.update(trx, svcId, { status: to, updatedAt: now })
    await deps.records.append(
      trx,
      buildStatusRecord(deps, step, after, { from: before.status, principal, now }),
    )
    await commitRegistrationFile(deps, trx, after, now)
    const below = await settleSubAgents(deps, trx, {
      svcId,
      isRetired: to === 'retired',
      recordRetired: (_, retired, { status }) =>
        deps.records.append(
          trx,
          buildStatusRecord(deps, step, retired, { from: status, above: svcId, principal, now }),
        ),
      now,
    })
    return [svcId, ...below]
  })
  for (const id of changed) deps.onAgentChanged(id)
  for (const id of changed) await deps.publishFile(id)
  return svcId
}

function buildStatusRecord(
  { settings }: ChangeAgentStatusDeps,
  step: AgentStep,
  agent: AgentRow,
  { from, above, principal, now }: { from: string; above?: string; principal: SessionPrincipal; now: number },
) {
  return createAuditRecord(
    {
      eventType: STEPS[step].event,
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: agent.name, agentStatus: agent.status },
      inputs: { changedBy: principal.userId, from, to: agent.status, ...(above && { with: above }) },
    },
    now,
    settings.randomBytes,
  )
}
