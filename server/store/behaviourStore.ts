import type { ActivityFacts } from '@svc/core/trust/trustFacts.ts'
import type { Knex } from 'knex'

export type BehaviourStore = ReturnType<typeof createBehaviourStore>

/** Reads how agents behaved, as far as the projection has followed the log. */
export function createBehaviourStore(query: Knex) {
  return {
    /** Undefined for an agent that has not done anything yet. Failed challenges are among the violations. */
    async ofAgent(svcId: string): Promise<ActivityFacts | undefined> {
      const row = await query('feed.agent_behaviour')
        .select({ grants: 'grants', violations: 'violations', at: 'updated_at' })
        .where({ agent_id: svcId })
        .first()
      return row
        ? { grants: Number(row.grants), violations: Number(row.violations), at: Number(row.at) }
        : undefined
    },
  }
}
