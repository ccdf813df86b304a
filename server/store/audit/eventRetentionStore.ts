import type { Knex } from 'knex'
import type { LoggedRecord } from '../feed/projectionStore.ts'
import { EVENT_COLUMNS } from './auditRecordStore.ts'
import { readLogSize } from './logSize.ts'
import { type PrunedRecord, prunePayload } from './prunePayload.ts'

export type EventRetentionStore = ReturnType<typeof createEventRetentionStore>

/** Removes the content of old events, beginning with the oldest of the log. */
export function createEventRetentionStore(query: Knex) {
  return {
    /** Reads the first log index whose content has not been removed. */
    async nextSeq(): Promise<number> {
      const row = await query('event_retention').select('next_seq').where({ id: 1 }).first()
      return Number(row.next_seq)
    },

    logSize: () => readLogSize(query),

    /** Reads records from a log index on, in log order. */
    async records(fromSeq: number, limit: number, run: Knex = query): Promise<LoggedRecord[]> {
      const rows = await run('audit_records')
        .select({ ...EVENT_COLUMNS, entry: 'entry' })
        .where('seq', '>=', fromSeq)
        .orderBy('seq')
        .limit(limit)
      return rows.map((row) => ({ ...row, seq: Number(row.seq), recordedAt: Number(row.recordedAt) }))
    },

    /** Removes the content of the records between two log indexes; nothing if another process has done so. */
    async remove(
      trx: Knex.Transaction,
      { from, to }: { from: number; to: number },
      records: readonly PrunedRecord[],
    ): Promise<void> {
      const moved = await trx('event_retention').where({ id: 1, next_seq: from }).update({ next_seq: to })
      if (moved > 0) await prunePayload(trx, records)
    },
  }
}
