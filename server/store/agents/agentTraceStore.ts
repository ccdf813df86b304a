import type { Knex } from 'knex'
import { orderNewestFirst } from '../database/storedPage.ts'

/** What the chain shows of an agent, in lower case, and its position in the order of arrival. */
type AgentTraces = { svcId: string; position: number; traces: readonly string[] }

/** SQLite limits the number of variables in a statement. */
const FOUND_MAX = 500

export type AgentTraceStore = ReturnType<typeof createAgentTraceStore>

/** Finds agents by what else identifies them: their keys, and their traces on chain. */
export function createAgentTraceStore(query: Knex) {
  return {
    /** Reads which of these owners’ agents have the key with this thumbprint, even if it is revoked. */
    async withKey(ownerIds: readonly string[], kid: string): Promise<string[]> {
      const rows = await query('agent_keys')
        .join('agents', 'agents.svc_id', 'agent_keys.agent_id')
        .select({ svcId: 'agents.svc_id' })
        .where({ kid })
        .whereIn('agents.owner_id', [...ownerIds])
        .limit(FOUND_MAX)
      return rows.map((row) => String(row.svcId))
    },

    /**
     * Reads the accounts and transactions of these owners’ agents, newest first: who signed the registration, who holds the
     * token, its wallet, and what put it on chain.
     */
    async tracesByOwners(
      ownerIds: readonly string[],
      page: { limit: number; before: number | null },
    ): Promise<AgentTraces[]> {
      const rows = await orderNewestFirst(query('agents').whereIn('owner_id', [...ownerIds]), page.before)
        .leftJoin('agent_tokens', 'agent_tokens.svc_id', 'agents.svc_id')
        .select({ svcId: 'agents.svc_id', position: 'position', signer: 'signer_address' })
        .select({ holder: 'holder', wallet: 'wallet', transaction: 'chain_transaction' })
        .limit(page.limit)
      return rows.map(({ svcId, position, ...traces }: Record<string, unknown>) => ({
        svcId: String(svcId),
        position: Number(position),
        traces: Object.values(traces).flatMap((trace) =>
          trace === null ? [] : [String(trace).toLowerCase()],
        ),
      }))
    },
  }
}
