import type { Knex } from 'knex'

export type SecretsKeyStore = ReturnType<typeof createSecretsKeyStore>

/** Remembers with which keys secrets may be encrypted, by the ids of the keys. */
export function createSecretsKeyStore(query: Knex) {
  return {
    async list(): Promise<string[]> {
      const rows: { id: string }[] = await query('secrets_keys').select({ id: 'key_id' }).orderBy('key_id')
      return rows.map(({ id }) => id)
    },

    async add(id: string): Promise<void> {
      await query('secrets_keys').insert({ key_id: id }).onConflict('key_id').ignore()
    },

    /** Remembers that the only process of a file has started with a key. */
    async setLatest(id: string): Promise<void> {
      await query('secrets_keys').update({ is_latest: query.raw('key_id = ?', [id]) })
    },

    /** Reads with which key the only process of a file has last started; null if an earlier release was the last. */
    async latest(run: Knex = query): Promise<string | null> {
      const row = await run('secrets_keys').select('key_id').where({ is_latest: 1 }).first()
      return row?.key_id ?? null
    },

    /** Forgets all keys but one. */
    async removeOthers(trx: Knex.Transaction, id: string): Promise<void> {
      await trx('secrets_keys').whereNot({ key_id: id }).delete()
    },
  }
}
