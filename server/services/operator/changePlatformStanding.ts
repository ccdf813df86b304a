import { deriveProvisionalAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import type { Platform } from '@svc/core/platforms/platform.ts'
import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'
import { buildProvisionalAgent } from '../platforms/buildProvisionalAgent.ts'
import { type ChangeInterventionDeps, changeIntervention, type Intervening } from './changeIntervention.ts'

export type ChangePlatformStandingDeps = ChangeInterventionDeps & {
  db: Pick<Db, 'transaction'>
  platforms: readonly Platform[]
  agents: Pick<AgentStore, 'bySvcId' | 'insert' | 'update'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
  /** Called after the commit and before the response. */
  onAgentChanged(svcId: string): void
}

const STEPS = {
  withdraw: {
    isWithdrawn: true,
    agentStatus: 'withdrawn',
    status: 'withdrawn',
    event: 'agent.withdrawn',
    conflict: 'The platform is withdrawn already.',
  },
  restore: {
    isWithdrawn: false,
    agentStatus: 'provisional',
    status: 'recognised',
    event: 'agent.restored',
    conflict: 'The platform is not withdrawn.',
  },
} as const

export type PlatformStep = keyof typeof STEPS

/**
 * Withdraws a platform agent, or restores it. Requests of a withdrawn platform are those of an unrecognised caller, from
 * the response on; its provisional agent, which nobody owns, shows that it is withdrawn.
 *
 * @param input.id Identifier in the list of platforms.
 * @throws ApiError NOT_FOUND, INVALID_STATE as `changeIntervention`. Source: docs/decisions/0070.
 */
export async function changePlatformStanding(
  deps: ChangePlatformStandingDeps,
  step: PlatformStep,
  input: Intervening,
): Promise<{ id: string; svcId: string; status: 'recognised' | 'withdrawn' }> {
  const platform = deps.platforms.find(({ id }) => id === input.id)
  if (!platform) throw apiError('NOT_FOUND')
  const { isWithdrawn, agentStatus, status, conflict } = STEPS[step]
  const svcId = deriveProvisionalAgentIdentifier(platform.id)
  await deps.db.transaction(async (trx) => {
    const order = { ...input, subjectId: svcId, messageOfConflict: conflict }
    await changeIntervention(deps, trx, isWithdrawn, order)
    const found = await deps.agents.bySvcId(svcId, trx)
    const before = found ?? buildProvisionalAgent(platform, input.now, deps.randomBytes)
    const after: AgentRow = { ...before, status: agentStatus, updatedAt: input.now }
    if (found) await deps.agents.update(trx, svcId, { status: agentStatus, updatedAt: input.now })
    else await deps.agents.insert(trx, after)
    await deps.records.append(trx, buildChangedRecord(deps, step, { agent: after, platform, input }))
  })
  deps.onAgentChanged(svcId)
  return { id: platform.id, svcId, status }
}

function buildChangedRecord(
  { randomBytes }: ChangePlatformStandingDeps,
  step: PlatformStep,
  { agent, platform, input }: { agent: AgentRow; platform: Platform; input: Intervening },
) {
  const change = { platform: platform.id, decidedBy: input.principal.developerId }
  return buildAgentRecord(
    agent,
    {
      eventType: STEPS[step].event,
      eventData: { agentStatus: agent.status, operator: platform.operator, ...change },
      inputs: change,
    },
    { now: input.now, randomBytes },
  )
}
