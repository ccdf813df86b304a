import type { ActivityFacts } from '@svc/core/trustScore.ts'
import type { Knex } from 'knex'

export type BehaviourStore = ReturnType<typeof createBehaviourStore>

const COLUMNS = { grants: 'grants', violations: 'violations', at: 'updated_at', sources: 'sources' } as const

/** Reads the projection’s counts of agents’ behaviour. */
export function createBehaviourStore(query: Knex) {
  return {
    async ofAgent(svcId: string): Promise<ActivityFacts | undefined> {
      const row = await query('feed.agent_behaviour').select(COLUMNS).where({ agent_id: svcId }).first()
      return row && factsOf(row)
    },

    /** Reads the counts of those agents that have any. */
    async ofAgents(svcIds: readonly string[]): Promise<Map<string, ActivityFacts>> {
      const rows = await query('feed.agent_behaviour')
        .select({ svcId: 'agent_id', ...COLUMNS })
        .whereIn('agent_id', [...svcIds])
      return new Map(rows.map(({ svcId, ...row }) => [svcId, factsOf(row)]))
    },
  }
}

function factsOf(row: { grants: number; violations: number; at: unknown; sources: string }): ActivityFacts {
  const { grants, violations, at, sources } = row
  return { grants, violations, at: Number(at), sources: JSON.parse(sources) }
}
