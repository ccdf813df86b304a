import type { Knex } from 'knex'
import { batchKeyOf, batchKeysOf } from './batchStore.ts'
import { type LogCount, readLogCounts } from './logStore.ts'

/** A record, as far as its place and its leaf depend on it. */
export type StoredEntry = {
  seq: number
  entry: string
  ownerId: string | null
  counterpartyOwnerId: string | null
}

/** A sealed batch. */
export type StoredHead = { number: number; newSize: number; root: string; status: string }

export type StoredLogStore = ReturnType<typeof createStoredLogStore>

/** Reads the audit logs from their beginning, for verification of the whole log; needs no feed. */
export function createStoredLogStore(query: Knex) {
  return {
    /** Reads the next entries by sequence number. */
    async entries(fromSeq: number, limit: number): Promise<StoredEntry[]> {
      const rows = await query('audit_records')
        .select({
          seq: 'seq',
          entry: 'entry',
          ownerId: 'owner_id',
          counterpartyOwnerId: 'counterparty_owner_id',
        })
        .where('seq', '>=', fromSeq)
        .orderBy('seq')
        .limit(limit)
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }))
    },

    /** Reads the next sealed batches of a log in order. */
    async heads(log: number, after: number, limit: number): Promise<StoredHead[]> {
      const rows = await query('audit_batches')
        .select({ number: 'number', newSize: 'new_size', root: 'root', status: 'status' })
        .whereBetween('number', batchKeysOf(log))
        .where('number', '>', batchKeyOf(log, after))
        .orderBy('number')
        .limit(limit)
      return rows.map(({ number, newSize, root, status }) => ({
        number: Number(number) - batchKeyOf(log, 0),
        newSize: Number(newSize),
        root,
        status,
      }))
    },

    /** Reads the changes of the number of logs, in order; none in a database from before there could be several. */
    async counts(): Promise<LogCount[]> {
      return (await query.schema.hasTable('audit_log_counts')) ? readLogCounts(query) : []
    },
  }
}
