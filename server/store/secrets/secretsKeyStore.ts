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

    /** Forgets all keys but one. */
    async removeOthers(trx: Knex.Transaction, id: string): Promise<void> {
      await trx('secrets_keys').whereNot({ key_id: id }).delete()
    },
  }
}
