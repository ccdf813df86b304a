import type { Knex } from 'knex'

export type IpfsFileStore = ReturnType<typeof createIpfsFileStore>

/** Keeps which registration file of each agent is in IPFS, by the hash of its bytes. */
export function createIpfsFileStore(query: Knex) {
  return {
    /** Agents on chain whose present file is not in IPFS, or whose token was not led to it yet, in the order of their identifiers, after one of them. */
    async missing(page: { after: string; limit: number }): Promise<string[]> {
      const rows = await query('agents')
        .leftJoin('ipfs_files', 'ipfs_files.svc_id', 'agents.svc_id')
        .select({ svcId: 'agents.svc_id' })
        .whereNotNull('agents.chain_agent_id')
        .whereNotNull('agents.registration_file_hash')
        .where('agents.svc_id', '>', page.after)
        .where((kept) =>
          kept
            .whereNull('ipfs_files.file_hash')
            .orWhereRaw('ipfs_files.file_hash <> agents.registration_file_hash')
            .orWhere('ipfs_files.is_led', false),
        )
        .orderBy('agents.svc_id')
        .limit(page.limit)
      return rows.map((row) => String(row.svcId))
    },

    async hashOf(svcId: string): Promise<string | null> {
      const row = await query('ipfs_files').select('file_hash').where({ svc_id: svcId }).first()
      return row ? String(row.file_hash) : null
    },

    async put(trx: Knex.Transaction, svcId: string, fileHash: string): Promise<void> {
      await trx('ipfs_files')
        .insert({ svc_id: svcId, file_hash: fileHash, is_led: false })
        .onConflict('svc_id')
        .merge()
    },

    /** Notes that the token was asked to lead to this file, unless another one has come meanwhile. */
    async setLed(trx: Knex.Transaction, svcId: string, fileHash: string): Promise<void> {
      await trx('ipfs_files').where({ svc_id: svcId, file_hash: fileHash }).update({ is_led: true })
    },
  }
}
