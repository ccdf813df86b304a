import type { Knex } from 'knex'

/** Exactly the condition of the index `agents_not_led`; otherwise the index would not be used. */
const IS_NOT_LED = `COALESCE(led_file_hash, '') <> registration_file_hash`

export type IpfsFileStore = ReturnType<typeof createIpfsFileStore>

/**
 * Stores, by SHA-256 of its bytes, which registration file of each agent is in IPFS, and which one its token was pointed
 * at.
 */
export function createIpfsFileStore(query: Knex) {
  return {
    /**
     * Reads on-chain agents whose token does not point at their current file yet, ordered by identifier, after one of them.
     */
    async missing(page: { after: string; limit: number }): Promise<string[]> {
      const rows = await query('agents')
        .select({ svcId: 'svc_id' })
        .whereNotNull('chain_agent_id')
        .whereRaw(IS_NOT_LED)
        .where('svc_id', '>', page.after)
        .orderBy('svc_id')
        .limit(page.limit)
      return rows.map((row) => String(row.svcId))
    },

    async hashOf(svcId: string): Promise<string | null> {
      const row = await query('ipfs_files').select('file_hash').where({ svc_id: svcId }).first()
      return row ? String(row.file_hash) : null
    },

    async put(trx: Knex.Transaction, svcId: string, fileHash: string): Promise<void> {
      await trx('ipfs_files').insert({ svc_id: svcId, file_hash: fileHash }).onConflict('svc_id').merge()
    },

    /** Stores that the token was requested to point at this file. */
    async setLed(trx: Knex.Transaction, svcId: string, fileHash: string): Promise<void> {
      await trx('agents').where({ svc_id: svcId }).update({ led_file_hash: fileHash })
    },
  }
}
