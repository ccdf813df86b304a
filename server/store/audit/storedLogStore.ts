import type { Knex } from 'knex'

export type StoredLogStore = ReturnType<typeof createStoredLogStore>

/** Reads the audit log from its beginning, for verification of the whole log; needs no feed. */
export function createStoredLogStore(query: Knex) {
  return {
    /** Reads the next entries by sequence number. */
    async entries(fromSeq: number, limit: number): Promise<{ seq: number; entry: string }[]> {
      const rows = await query('audit_records')
        .select('seq', 'entry')
        .where('seq', '>=', fromSeq)
        .orderBy('seq')
        .limit(limit)
      return rows.map(({ seq, entry }) => ({ seq: Number(seq), entry }))
    },

    /** Reads the next sealed batches in order. */
    async heads(
      after: number,
      limit: number,
    ): Promise<{ number: number; newSize: number; root: string; status: string }[]> {
      const rows = await query('audit_batches')
        .select({ number: 'number', newSize: 'new_size', root: 'root', status: 'status' })
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
      return rows.map(({ number, newSize, root, status }) => ({
        number: Number(number),
        newSize: Number(newSize),
        root,
        status,
      }))
    },
  }
}
