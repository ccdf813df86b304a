import { deriveProvisionalAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import type { Platform } from '@svc/core/platforms/platform.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildAgentRecord } from '../agents/buildAgentRecord.ts'
import { createReadThroughCache } from '../readThroughCache.ts'
import { buildProvisionalAgent } from './buildProvisionalAgent.ts'

export type ProvisionalAgentsDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'bySvcId' | 'insert'>
  records: Pick<AuditRecordStore, 'append'>
  randomBytes: (length: number) => Uint8Array
}

export type ProvisionalAgents = ReturnType<typeof createProvisionalAgents>

/** Provisional agents are few: one per platform of the list. */
const MAX = 10_000

/**
 * Finds the provisional agents of recognised platforms, and creates each when its platform is first seen.
 *
 * Nobody owns them, and their status admits no request that names one. After the first time, a platform costs two Map
 * look-ups. Simultaneous first requests wait for one transaction; across processes, the unique identifier admits one.
 *
 * Source: Spec: Verification response, anonymous branch.
 */
export function createProvisionalAgents(deps: ProvisionalAgentsDeps) {
  const statuses = createReadThroughCache<AgentRow['status']>({
    max: MAX,
    load: async (svcId) => (await deps.agents.bySvcId(svcId))?.status ?? null,
  })
  const identifiers = new Map<string, string>()
  const creating = new Map<string, Promise<string | null>>()

  function identifierOf({ id }: Platform): string {
    const known = identifiers.get(id)
    if (known !== undefined) return known
    const svcId = deriveProvisionalAgentIdentifier(id)
    identifiers.set(id, svcId)
    return svcId
  }

  function create(svcId: string, platform: Platform, now: number): Promise<string | null> {
    const underWay = creating.get(svcId)
    if (underWay !== undefined) return underWay
    const created = storeOnce(deps, platform, now)
      .then(() => statuses.get(svcId))
      // Withdrawn in the meantime.
      .then((status) => (status === 'withdrawn' ? null : svcId))
      .finally(() => creating.delete(svcId))
    creating.set(svcId, created)
    return created
  }

  return {
    /** Returns the identifier; null for a withdrawn platform. `dryRun` stores nothing. */
    provide(platform: Platform, now: number, dryRun: boolean): string | null | Promise<string | null> {
      const svcId = identifierOf(platform)
      const settle = (status: AgentRow['status'] | null) => {
        if (status === 'withdrawn') return null
        return status !== null || dryRun ? svcId : create(svcId, platform, now)
      }
      const known = statuses.get(svcId)
      return known instanceof Promise ? known.then(settle) : settle(known)
    },

    /** Call when the status of an agent may have changed. */
    onAgentChanged: (svcId: string): void => statuses.delete(svcId),

    /** Call when it is unknown what changed. */
    clear: (): void => statuses.clear(),
  }
}

async function storeOnce(deps: ProvisionalAgentsDeps, platform: Platform, now: number): Promise<void> {
  const row = buildProvisionalAgent(platform, now, deps.randomBytes)
  try {
    await deps.db.transaction(async (trx) => {
      if (await deps.agents.bySvcId(row.svcId, trx)) return
      await deps.agents.insert(trx, row)
      await deps.records.append(trx, buildProvisionedRecord(row, platform, deps.randomBytes))
    })
  } catch (error) {
    // Another process created it first.
    if (!(await deps.agents.bySvcId(row.svcId))) throw error
  }
}

function buildProvisionedRecord(
  agent: AgentRow,
  platform: Platform,
  randomBytes: (length: number) => Uint8Array,
) {
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.provisioned',
      eventData: { platform: platform.id, operator: platform.operator },
      inputs: { platform: platform.id },
    },
    { now: agent.createdAt, randomBytes },
  )
}
