import type { ActivityFacts } from '@svc/core/trust/trustFacts.ts'
import type { Knex } from 'knex'

export type BehaviourStore = ReturnType<typeof createBehaviourStore>

/** Reads what the projection has counted of an agent's behaviour. */
export function createBehaviourStore(query: Knex) {
  return {
    async ofAgent(svcId: string): Promise<ActivityFacts | undefined> {
      const row = await query('feed.agent_behaviour')
        .select({ grants: 'grants', violations: 'violations', at: 'updated_at' })
        .where({ agent_id: svcId })
        .first()
      return row ? { grants: row.grants, violations: row.violations, at: Number(row.at) } : undefined
    },

    /** Of those of these agents that have done anything. */
    async ofAgents(svcIds: readonly string[]): Promise<Map<string, ActivityFacts>> {
      const rows = await query('feed.agent_behaviour')
        .select({ svcId: 'agent_id', grants: 'grants', violations: 'violations', at: 'updated_at' })
        .whereIn('agent_id', [...svcIds])
      return new Map(
        rows.map(({ svcId, grants, violations, at }) => [svcId, { grants, violations, at: Number(at) }]),
      )
    },
  }
}
