import type { AgentRow } from '../../store/agents/agentStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { Person } from '../../store/personal/person.ts'
import type { PersonalStore } from '../../store/personal/personalStore.ts'
import { moveAgentStatus } from '../agents/moveAgentStatus.ts'
import type { SettleSubAgentsDeps } from '../agents/registration/settleSubAgents.ts'
import { commitRegistrationFile } from '../agents/registrationFile/commitRegistrationFile.ts'
import { buildEndpointRecord } from '../endpoints/buildEndpointRecord.ts'

export type EraseAgentsDeps = SettleSubAgentsDeps & {
  db: Pick<Db, 'transaction'>
  personal: Pick<PersonalStore, 'agentsLeft' | 'blankAgent'>
  publishFile(svcId: string): Promise<void>
  onAgentChanged(svcId: string): void
}

/** Maximum agents or endpoints in a round, each in its own transaction. */
const ROUND_MAX = 20
const CAN_RETIRE: readonly AgentRow['status'][] = ['active', 'suspended']

/**
 * Retires a person's agents and empties them; returns whether none is left.
 *
 * The registration file is rewritten and committed to without what described the agent, before its identity is final on
 * chain as well as after.
 */
export async function eraseAgents(
  deps: EraseAgentsDeps,
  { person, now }: { person: Person; now: number },
): Promise<boolean> {
  const left = await deps.personal.agentsLeft(person, ROUND_MAX)
  for (const svcId of left) {
    const changed = await deps.db.transaction(async (trx) => {
      await deps.personal.blankAgent(trx, svcId)
      const agent = await deps.agents.bySvcId(svcId, trx)
      if (agent && CAN_RETIRE.includes(agent.status)) {
        return moveAgentStatus(deps, trx, 'retire', { svcId, changedBy: person.userId, now })
      }
      if (agent) await commitRegistrationFile(deps, trx, agent, now)
      return [svcId]
    })
    for (const id of changed) deps.onAgentChanged(id)
    for (const id of changed) await deps.publishFile(id)
  }
  return left.length < ROUND_MAX
}

export type EraseEndpointsDeps = {
  db: Pick<Db, 'transaction'>
  endpoints: Pick<EndpointStore, 'byAnyId'>
  records: SettleSubAgentsDeps['records']
  settings: SettleSubAgentsDeps['settings']
  personal: Pick<PersonalStore, 'endpointsLeft' | 'blankEndpoint'>
  /** Called after the commit and awaited. */
  onTierChanged(endpoint: EndpointRow): Promise<void>
}

/** Archives the endpoints that only a person had and empties them; returns whether none is left. */
export async function eraseEndpoints(
  deps: EraseEndpointsDeps,
  { person, now }: { person: Person; now: number },
): Promise<boolean> {
  const left = await deps.personal.endpointsLeft(person, ROUND_MAX)
  for (const id of left) {
    const after = await deps.db.transaction(async (trx) => {
      const before = await deps.endpoints.byAnyId(id, trx)
      await deps.personal.blankEndpoint(trx, id)
      const endpoint = await deps.endpoints.byAnyId(id, trx)
      if (endpoint && before?.status !== 'archived') {
        const context = { now, randomBytes: deps.settings.randomBytes }
        await deps.records.append(trx, buildEndpointRecord('endpoint.archived', endpoint, {}, context))
      }
      return endpoint
    })
    if (after) await deps.onTierChanged(after)
  }
  return left.length < ROUND_MAX
}
