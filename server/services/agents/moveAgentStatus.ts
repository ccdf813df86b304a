import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import { buildAgentRecord } from './buildAgentRecord.ts'
import { type SettleSubAgentsDeps, settleSubAgents } from './registration/settleSubAgents.ts'
import { commitRegistrationFile } from './registrationFile/commitRegistrationFile.ts'

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

export type MoveAgentStatusInput = {
  svcId: string
  /** Internal id of the account that changes it. */
  changedBy: string
  now: number
}

/**
 * Moves an agent, with its sub-agents, to another status in the caller's transaction, and records it.
 *
 * The `active` member of the registration file and the commitment to the file follow.
 *
 * @returns Identifiers of the changed agents, whose caches and files the caller renews after the commit.
 * @throws ApiError INVALID_STATE for an impossible transition. Source: docs/decisions/0012.
 */
export async function moveAgentStatus(
  deps: SettleSubAgentsDeps,
  trx: Parameters<AgentStore['update']>[0],
  step: AgentStep,
  { svcId, changedBy, now }: MoveAgentStatusInput,
): Promise<string[]> {
  const { from, to } = STEPS[step]
  const before = await deps.agents.bySvcId(svcId, trx)
  if (!before || !from.some((status) => status === before.status)) throw apiError('INVALID_STATE')
  const after: AgentRow = { ...before, status: to, updatedAt: now }
  await deps.agents.update(trx, svcId, { status: to, updatedAt: now })
  await deps.records.append(
    trx,
    buildStatusRecord(deps, step, after, { from: before.status, changedBy, now }),
  )
  await commitRegistrationFile(deps, trx, after, now)
  const below = await settleSubAgents(deps, trx, {
    svcId,
    isRetired: to === 'retired',
    recordRetired: (_, retired, { status }) =>
      deps.records.append(
        trx,
        buildStatusRecord(deps, step, retired, { from: status, above: svcId, changedBy, now }),
      ),
    now,
  })
  return [svcId, ...below]
}

function buildStatusRecord(
  { settings }: SettleSubAgentsDeps,
  step: AgentStep,
  agent: AgentRow,
  { from, above, changedBy, now }: { from: string; above?: string; changedBy: string; now: number },
) {
  return buildAgentRecord(
    agent,
    {
      eventType: STEPS[step].event,
      eventData: { agentStatus: agent.status },
      inputs: { changedBy, from, to: agent.status, ...(above && { with: above }) },
    },
    { now, randomBytes: settings.randomBytes },
  )
}
