import type { StandingApproval } from '@svc/core/access/facts.ts'
import type { Knex } from 'knex'

/** A stored standing approval; times are epoch milliseconds. */
export type StoredStanding = StandingApproval & {
  id: string
  agentId: string
  ownerId: string
  /** Internal id of the endpoint. */
  endpointId: string
  counterpartyOwnerId: string
  /** Empty for amounts without a currency. */
  currency: string
  createdAt: number
}

/** One with the endpoint as it is now; null if the endpoint is no longer stored. */
export type ListedStanding = StoredStanding & {
  endpointName: string | null
  endpointHost: string | null
  svceId: string | null
}

export type StandingApprovalStore = ReturnType<typeof createStandingApprovalStore>

const COLUMNS = {
  id: 's.id',
  agentId: 's.agent_id',
  ownerId: 's.owner_id',
  endpointId: 's.endpoint_id',
  counterpartyOwnerId: 's.counterparty_owner_id',
  currency: 's.currency',
  amount: 's.amount',
  used: 's.used',
  minIdentityProof: 's.min_identity_proof',
  createdAt: 's.created_at',
  expiresAt: 's.expires_at',
}

/** Stores what owners approved in advance; the recorder reads and counts it with each decision. */
export function createStandingApprovalStore(query: Knex) {
  return {
    /** Reads those of an agent that have not expired, newest first. */
    async ofAgent(agentId: string, now: number): Promise<ListedStanding[]> {
      const rows = await query('standing_approvals as s')
        .leftJoin('endpoints as e', 'e.id', 's.endpoint_id')
        .select({ ...COLUMNS, endpointName: 'e.name', endpointHost: 'e.host', svceId: 'e.svce_id' })
        .where('s.agent_id', agentId)
        .where('s.expires_at', '>', now)
        .orderBy([{ column: 's.created_at', order: 'desc' }, 's.id'])
      return rows.map(standingOf)
    },

    /** Stores one instead of that for the same agent, endpoint and currency. */
    async put(trx: Knex.Transaction, standing: StoredStanding): Promise<void> {
      await trx('standing_approvals')
        .insert({
          id: standing.id,
          agent_id: standing.agentId,
          endpoint_id: standing.endpointId,
          currency: standing.currency,
          owner_id: standing.ownerId,
          counterparty_owner_id: standing.counterpartyOwnerId,
          amount: standing.amount,
          used: standing.used,
          min_identity_proof: standing.minIdentityProof,
          created_at: standing.createdAt,
          expires_at: standing.expiresAt,
        })
        .onConflict(['agent_id', 'endpoint_id', 'currency'])
        .merge()
    },

    /** Counts those of an agent that have not expired. */
    async countOfAgent(trx: Knex.Transaction, agentId: string, now: number): Promise<number> {
      const row = await trx('standing_approvals')
        .where({ agent_id: agentId })
        .where('expires_at', '>', now)
        .count({ count: '*' })
        .first()
      return Number(row?.count ?? 0)
    },

    /** Removes one of an agent, and returns it; null if there is none. */
    async remove(trx: Knex.Transaction, agentId: string, id: string): Promise<StoredStanding | null> {
      const row = await trx('standing_approvals as s')
        .select(COLUMNS)
        .where({ id, agent_id: agentId })
        .first()
      const removed = await trx('standing_approvals').where({ id, agent_id: agentId }).delete()
      return row && removed === 1 ? standingOf(row) : null
    },
  }
}

function standingOf<Row extends StoredStanding>(row: Row): Row {
  return { ...row, createdAt: Number(row.createdAt), expiresAt: Number(row.expiresAt) }
}
