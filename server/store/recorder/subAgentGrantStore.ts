import type { Knex } from 'knex'

export type SubAgentGrantStore = ReturnType<typeof createSubAgentGrantStore>

/** Ends granted sub-agents; the recorder stores and counts them, and changes of agents end theirs. */
export function createSubAgentGrantStore() {
  return {
    /** Lets what an agent was granted in a session count no longer. */
    async endOfSession(
      trx: Knex.Transaction,
      { agentId, sessionId }: { agentId: string; sessionId: string },
    ): Promise<void> {
      await trx('sub_agent_grants').where({ agent_id: agentId, session_id: sessionId }).delete()
    },
  }
}
