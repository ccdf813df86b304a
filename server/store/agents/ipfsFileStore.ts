import type { Knex } from 'knex'

/** Word for word the condition of the index `agents_not_led`, or it would not be taken. */
const IS_NOT_LED = `COALESCE(led_file_hash, '') <> registration_file_hash`

export type IpfsFileStore = ReturnType<typeof createIpfsFileStore>

/** Keeps which registration file of each agent is in IPFS, and to which its token was led, by the hash of its bytes. */
export function createIpfsFileStore(query: Knex) {
  return {
    /** Agents on chain whose token was not led to their present file yet, in the order of their identifiers, after one of them. */
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

    /** Notes that the token was asked to lead to this file. */
    async setLed(trx: Knex.Transaction, svcId: string, fileHash: string): Promise<void> {
      await trx('agents').where({ svc_id: svcId }).update({ led_file_hash: fileHash })
    },
  }
}
