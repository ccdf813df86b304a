import type { Knex } from 'knex'
import { readEventPositions } from '../feed/eventPositions.ts'
import { type AuditRecord, EVENT_COLUMNS } from './auditRecordStore.ts'

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

export type DecisionContextStore = ReturnType<typeof createDecisionContextStore>

/** Keeps the rules that decisions were made by, each text once under its hash; nothing is ever taken away. */
export function createDecisionContextStore(query: Knex) {
  return {
    /** Safe to repeat, also by two at once. */
    async keep(hash: string, document: string): Promise<void> {
      await query('decision_contexts').insert({ hash, document }).onConflict('hash').ignore()
    },

    async read(hash: string): Promise<string | null> {
      const row = await query('decision_contexts').select('document').where({ hash }).first()
      return row?.document ?? null
    },
  }
}
