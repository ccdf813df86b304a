import type { Knex } from 'knex'

export type SharedKeyStore = ReturnType<typeof createSharedKeyStore>

/** Stores keys that all processes of a database share, each sealed with the secrets key. */
export function createSharedKeyStore(query: Knex) {
  return {
    /** Reads the sealed key with this name; null if none is stored yet. */
    async byName(name: string): Promise<string | null> {
      const row = await query('shared_keys').select('sealed').where({ name }).first()
      return row?.sealed ?? null
    },

    /** Stores a key unless there is one, and returns the stored one. */
    async insertOrRead(name: string, sealed: string): Promise<string> {
      await query('shared_keys').insert({ name, sealed }).onConflict('name').ignore()
      const row = await query('shared_keys').select('sealed').where({ name }).first()
      return row.sealed
    },

    async remove(name: string): Promise<void> {
      await query('shared_keys').where({ name }).delete()
    },
  }
}
