import type { Knex } from 'knex'

/** Ratings of an agent in its registry; `mean` on the scale from 0 to 100. */
export type ForeignFeedback = { count: number; mean: number }

/** An adoption that has not ended. */
export type Adoption = {
  /** `SVC-` identifier. */
  agentId: string
  /** `eip155:<chain id>:<address>`, in lower case. */
  agentRegistry: string
  tokenId: number
  /** Owner of the token, in lower case. */
  owner: `0x${string}`
  /** A transfer in a later block ends the adoption. */
  adoptedBlock: number
  /** The `agentWallet` of the token, in lower case; null if it names none, or was not read yet. */
  wallet: `0x${string}` | null
  /** The block at which it was that, and which nothing older contradicts; null if it was not read yet. */
  walletBlock: number | null
  /** Epoch milliseconds. */
  feedbackReadAt: number
}

const COLUMNS = {
  agentId: 'agent_id',
  agentRegistry: 'agent_registry',
  tokenId: 'foreign_id',
  owner: 'owner',
  adoptedBlock: 'adopted_block',
  wallet: 'wallet',
  walletBlock: 'wallet_block',
  feedbackReadAt: 'feedback_read_at',
} as const satisfies Record<keyof Adoption, string>

/** SQLite limits the number of variables in a statement. */
const LOOKED_UP_MAX = 500

export type AdoptionStore = ReturnType<typeof createAdoptionStore>

/** Stores which agents of other registries are adopted. */
export function createAdoptionStore(query: Knex) {
  const firstWhere = async (where: object, reader: Knex): Promise<Adoption | null> => {
    const row = await reader('foreign_adoptions').select(COLUMNS).where(where).first()
    return row ? adoptionOf(row) : null
  }
  return {
    ofAgent: (agentId: string, reader: Knex = query) => firstWhere({ agent_id: agentId }, reader),

    ofToken: ({ agentRegistry, agentId }: { agentRegistry: string; agentId: number }, reader: Knex = query) =>
      firstWhere({ agent_registry: agentRegistry, foreign_id: agentId }, reader),

    /** Reads the adoptions among these tokens of a registry. */
    async amongTokens(agentRegistry: string, tokenIds: readonly number[]): Promise<Adoption[]> {
      const found: Adoption[] = []
      for (let at = 0; at < tokenIds.length; at += LOOKED_UP_MAX) {
        const rows = await query('foreign_adoptions')
          .select(COLUMNS)
          .where({ agent_registry: agentRegistry })
          .whereIn('foreign_id', tokenIds.slice(at, at + LOOKED_UP_MAX))
        found.push(...rows.map(adoptionOf))
      }
      return found
    },

    /** The earliest block of an adoption of a registry; null without any. */
    async firstBlock(agentRegistry: string): Promise<number | null> {
      const row = await query('foreign_adoptions')
        .min({ block: 'adopted_block' })
        .where({ agent_registry: agentRegistry })
        .first()
      return row?.block == null ? null : Number(row.block)
    },

    /** Reads the adoptions whose feedback was read longest ago, before `before`. */
    async withOldFeedback(before: number, limit: number): Promise<Adoption[]> {
      const rows = await query('foreign_adoptions')
        .select(COLUMNS)
        .where('feedback_read_at', '<', before)
        .orderBy('feedback_read_at')
        .limit(limit)
      return rows.map(adoptionOf)
    },

    async insert(trx: Knex.Transaction, adoption: Adoption): Promise<void> {
      await trx('foreign_adoptions').insert({
        agent_id: adoption.agentId,
        agent_registry: adoption.agentRegistry,
        foreign_id: adoption.tokenId,
        owner: adoption.owner,
        adopted_block: adoption.adoptedBlock,
        wallet: adoption.wallet,
        wallet_block: adoption.walletBlock,
        feedback_read_at: adoption.feedbackReadAt,
      })
    },

    async setWallet(
      trx: Knex.Transaction,
      { agentId, wallet, walletBlock }: Pick<Adoption, 'agentId' | 'wallet'> & { walletBlock: number },
    ): Promise<void> {
      await trx('foreign_adoptions')
        .where({ agent_id: agentId })
        .update({ wallet, wallet_block: walletBlock })
    },

    async setFeedbackReadAt(trx: Knex.Transaction, agentId: string, at: number): Promise<void> {
      await trx('foreign_adoptions').where({ agent_id: agentId }).update({ feedback_read_at: at })
    },

    /** Removes an adoption; false if it had already ended. */
    async remove(trx: Knex.Transaction, agentId: string): Promise<boolean> {
      return (await trx('foreign_adoptions').where({ agent_id: agentId }).delete()) > 0
    },
  }
}

function adoptionOf(row: Record<keyof Adoption, unknown>): Adoption {
  return {
    ...(row as Adoption),
    tokenId: Number(row.tokenId),
    adoptedBlock: Number(row.adoptedBlock),
    walletBlock: row.walletBlock === null ? null : Number(row.walletBlock),
    feedbackReadAt: Number(row.feedbackReadAt),
  }
}
