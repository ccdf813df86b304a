import type { Knex } from 'knex'

type Hex = `0x${string}`

/** An agent’s token as it was on chain at a block. */
export type AgentToken = {
  svcId: string
  /** `registry` while the relayer holds it for an owner without a wallet. */
  custody: 'registry' | 'owner'
  holder: Hex
  /** The `agentWallet`; a transfer clears it. */
  wallet: Hex | null
  uri: string
  seenBlock: number
}

const COLUMNS = {
  svcId: 'svc_id',
  custody: 'custody',
  holder: 'holder',
  wallet: 'wallet',
  uri: 'uri',
  seenBlock: 'seen_block',
} as const

/** SQLite limits the number of variables in a statement. */
const LOOKED_UP_MAX = 500

export type TokenStore = ReturnType<typeof createTokenStore>

/** Stores the agents’ tokens as last read, and up to which block a registry’s events were processed. */
export function createTokenStore(query: Knex) {
  return {
    async bySvcId(svcId: string, reader: Knex = query): Promise<AgentToken | null> {
      const row = await reader('agent_tokens').select(COLUMNS).where({ svc_id: svcId }).first()
      return row ? tokenOf(row) : null
    },

    /** Reads tokens of several agents by identifier; at most a page of them. */
    async bySvcIds(svcIds: readonly string[]): Promise<Map<string, AgentToken>> {
      const rows = await query('agent_tokens')
        .select(COLUMNS)
        .whereIn('svc_id', svcIds.slice(0, LOOKED_UP_MAX))
      return new Map(rows.map((row) => [String(row.svcId), tokenOf(row)]))
    },

    /** Reads agents whose tokens an account holds, ordered by identifier, after one of them. */
    async heldBy(holder: Hex, page: { after: string; limit: number }): Promise<string[]> {
      const rows = await query('agent_tokens')
        .select({ svcId: 'svc_id' })
        .where({ holder })
        .where('svc_id', '>', page.after)
        .orderBy('svc_id')
        .limit(page.limit)
      return rows.map((row) => String(row.svcId))
    },

    async put(trx: Knex.Transaction, token: AgentToken): Promise<void> {
      const row = {
        svc_id: token.svcId,
        custody: token.custody,
        holder: token.holder,
        wallet: token.wallet,
        uri: token.uri,
        seen_block: token.seenBlock,
      }
      await trx('agent_tokens').insert(row).onConflict('svc_id').merge()
    },

    async remove(trx: Knex.Transaction, svcId: string): Promise<void> {
      await trx('agent_tokens').where({ svc_id: svcId }).delete()
    },

    /** Deletes all tokens, because their chain is gone, and returns them. */
    async takeAll(trx: Knex.Transaction): Promise<Map<string, AgentToken>> {
      const rows = await trx('agent_tokens').select(COLUMNS)
      await trx('agent_tokens').delete()
      return new Map(rows.map((row) => [String(row.svcId), tokenOf(row)]))
    },

    /** Reads the newest block up to which a registry’s events were processed; null before the first. */
    async followedTo(registry: string): Promise<number | null> {
      const row = await query('registry_cursors').select({ block: 'block' }).where({ registry }).first()
      return row ? Number(row.block) : null
    },

    async setFollowedTo(trx: Knex.Transaction, registry: string, block: number): Promise<void> {
      await trx('registry_cursors').insert({ registry, block }).onConflict('registry').merge()
    },
  }
}

function tokenOf(row: Record<keyof AgentToken, unknown>): AgentToken {
  return { ...(row as AgentToken), seenBlock: Number(row.seenBlock) }
}
