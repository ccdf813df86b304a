import type { Knex } from 'knex'

export type SharedKeyStore = ReturnType<typeof createSharedKeyStore>

/** Keys that the processes over one database share, each sealed under the secrets' key. */
export function createSharedKeyStore(query: Knex) {
  return {
    /** The sealed key of this name; null when none was stored yet. */
    async byName(name: string): Promise<string | null> {
      const row = await query('shared_keys').select('sealed').where({ name }).first()
      return row?.sealed ?? null
    },

    /** Stores a key unless another process has stored one, and answers the one that is stored. */
    async insertOrRead(name: string, sealed: string): Promise<string> {
      await query('shared_keys').insert({ name, sealed }).onConflict('name').ignore()
      const row = await query('shared_keys').select('sealed').where({ name }).first()
      return row.sealed
    },
  }
}
