import type { AgentKey } from '@svc/core/signing/computeKeyThumbprint.ts'
import type { Knex } from 'knex'

/** A public key of an agent as stored; times are epoch milliseconds. */
export type AgentKeyRow = {
  /** UUIDv7. */
  id: string
  /** `SVC-` identifier. */
  agentId: string
  /** JWK thumbprint, by which a signature names the key. */
  kid: string
  jwk: AgentKey
  name: string | null
  createdAt: number
  /** When the owner revoked it; null while it is active. */
  revokedAt: number | null
  /** When whoever added it proved to hold the private half; null if nobody did. */
  provenAt: number | null
}

const COLUMNS = {
  id: 'id',
  agentId: 'agent_id',
  kid: 'kid',
  jwk: 'jwk',
  name: 'name',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
  provenAt: 'proven_at',
} as const satisfies Record<keyof AgentKeyRow, string>

export type AgentKeyStore = ReturnType<typeof createAgentKeyStore>

/** Stores the public keys of agents. */
export function createAgentKeyStore(query: Knex) {
  return {
    /** Reads an agent’s keys, also the revoked ones, oldest first; their number is bounded on creation. */
    async ofAgent(agentId: string, reader: Knex = query): Promise<AgentKeyRow[]> {
      const rows = await reader('agent_keys').select(COLUMNS).where({ agent_id: agentId }).orderBy('position')
      return rows.map(keyOf)
    },

    /** Whether an agent of another owner has this key: one that is not retired, with the key not revoked. */
    async isTaken(
      trx: Knex.Transaction,
      { kid, ownerId }: { kid: string; ownerId: string },
    ): Promise<boolean> {
      return (await othersKeys(trx, { kid, ownerId }).first()) !== undefined
    },

    /** Reads the entries of this key at agents of another owner that are not retired: those of one owner, by the above. */
    async heldByOthers(
      trx: Knex.Transaction,
      held: { kid: string; ownerId: string },
    ): Promise<AgentKeyRow[]> {
      return (await othersKeys(trx, held).orderBy('agent_keys.position')).map(keyOf)
    },

    /** Stores that the holder of an agent’s key has proven to be that. */
    async markProven(
      trx: Knex.Transaction,
      { agentId, kid, at }: { agentId: string; kid: string; at: number },
    ): Promise<void> {
      await trx('agent_keys').where({ agent_id: agentId, kid }).update({ proven_at: at })
    },

    /** Stores a key; the agent must not have it yet. */
    async insert(trx: Knex.Transaction, key: AgentKeyRow): Promise<void> {
      const columns = Object.entries(COLUMNS).map(([field, column]) => [
        column,
        key[field as keyof AgentKeyRow],
      ])
      await trx('agent_keys').insert({ ...Object.fromEntries(columns), jwk: JSON.stringify(key.jwk) })
    },

    /** Revokes a key; false if the agent has no such key that is active. */
    async revoke(
      trx: Knex.Transaction,
      { agentId, kid, at }: { agentId: string; kid: string; at: number },
    ): Promise<boolean> {
      const revoked = await trx('agent_keys')
        .where({ agent_id: agentId, kid })
        .whereNull('revoked_at')
        .update({ revoked_at: at })
      return revoked > 0
    },

    /**
     * Keeps of an agent’s revoked keys, except for the `most` that were revoked last, only the thumbprints: they are listed
     * no more, and still not added again.
     */
    async forgetRevoked(trx: Knex.Transaction, agentId: string, most: number): Promise<void> {
      const revoked = await trx('agent_keys')
        .select({ id: 'id', kid: 'kid' })
        .where({ agent_id: agentId })
        .whereNotNull('revoked_at')
        .orderBy([
          { column: 'revoked_at', order: 'desc' },
          { column: 'position', order: 'desc' },
        ])
      const surplus = revoked.slice(most)
      if (surplus.length === 0) return
      const former = surplus.map(({ kid }) => ({ agent_id: agentId, kid }))
      await trx('former_keys').insert(former).onConflict(['agent_id', 'kid']).ignore()
      const ids = surplus.map(({ id }) => id)
      await trx('agent_keys').whereIn('id', ids).delete()
    },

    /** Whether only the thumbprint of this key of the agent is kept, and of how many of its keys that is so. */
    async formerOf(
      trx: Knex.Transaction,
      { agentId, kid }: { agentId: string; kid: string },
    ): Promise<{ isFormer: boolean; count: number }> {
      const former = await trx('former_keys').select('kid').where({ agent_id: agentId, kid }).first()
      const counted = await trx('former_keys').count({ count: '*' }).where({ agent_id: agentId }).first()
      return { isFormer: former !== undefined, count: Number(counted?.count) }
    },
  }
}

/** The active keys of agents of other owners that are not retired. */
function othersKeys(trx: Knex.Transaction, { kid, ownerId }: { kid: string; ownerId: string }) {
  const columns = Object.entries(COLUMNS).map(([field, column]) => [field, `agent_keys.${column}`])
  return trx('agent_keys')
    .join('agents', 'agents.svc_id', 'agent_keys.agent_id')
    .select(Object.fromEntries(columns))
    .where({ kid })
    .whereNull('revoked_at')
    .whereNot('agents.owner_id', ownerId)
    .whereNot('agents.status', 'retired')
}

function keyOf(row: Record<keyof AgentKeyRow, unknown>): AgentKeyRow {
  return {
    ...(row as AgentKeyRow),
    jwk: JSON.parse(String(row.jwk)),
    createdAt: Number(row.createdAt),
    revokedAt: row.revokedAt === null ? null : Number(row.revokedAt),
    provenAt: row.provenAt === null ? null : Number(row.provenAt),
  }
}
