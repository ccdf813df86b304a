import type { Knex } from 'knex'
import { readEventPositions } from '../feed/eventPositions.ts'
import type { AuditRecord } from './auditRecordStore.ts'
import { EVENT_COLUMNS } from './auditRecordStore.ts'

/** A record as its parties may take it away: without the inputs, which hold the policies of both. */
export type ExportedRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt'>

/** Places in the log, both included. */
export type SeqRange = { from: number; to: number }

export type AuditExportStore = ReturnType<typeof createAuditExportStore>

/** Reads the records of some parties in the order of the log. */
export function createAuditExportStore(query: Knex) {
  return {
    /** At most `limit` records of the range that one of the parties may see, oldest first. */
    async ofParties(parties: readonly string[], range: SeqRange, limit: number): Promise<ExportedRecord[]> {
      const seqs = await readEventPositions(query, parties, { order: 'asc', limit }, (places) => {
        places.whereBetween('seq', [range.from, range.to])
      })
      return query('audit_records')
        .select({ ...EVENT_COLUMNS, entry: 'entry' })
        .whereIn('seq', seqs)
        .orderBy('seq')
    },
  }
}
