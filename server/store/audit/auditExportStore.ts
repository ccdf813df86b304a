import type { Knex } from 'knex'
import { readEventPositions } from '../feed/eventPositions.ts'
import { type AuditRecord, EVENT_COLUMNS } from './auditRecordStore.ts'

/** A record as exported to its parties: without the inputs, which contain the policies of both. */
export type ExportedRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt'>

/** A range of sequence numbers, both ends included. */
export type SeqRange = { from: number; to: number }

export type AuditExportStore = ReturnType<typeof createAuditExportStore>

/** Reads records of given parties in log order. */
export function createAuditExportStore(query: Knex) {
  return {
    /** Reads at most `limit` records of the range that one of the parties may see, oldest first. */
    async ofParties(parties: readonly string[], range: SeqRange, limit: number): Promise<ExportedRecord[]> {
      const seqs = await readEventPositions(parties, { order: 'asc', limit }, (party_id) =>
        query('feed.party_events')
          .select('seq')
          .where({ party_id })
          .whereBetween('seq', [range.from, range.to]),
      )
      return query('audit_records')
        .select({ ...EVENT_COLUMNS, entry: 'entry' })
        .whereIn('seq', seqs)
        .orderBy('seq')
    },
  }
}

export type DecisionContextStore = ReturnType<typeof createDecisionContextStore>

/** Stores the rules that decisions were based on, each text once under its hash; nothing is ever deleted. */
export function createDecisionContextStore(query: Knex) {
  return {
    /** Stores a document; idempotent, also under concurrency. */
    async keep(hash: string, document: string): Promise<void> {
      await query('decision_contexts').insert({ hash, document }).onConflict('hash').ignore()
    },

    async read(hash: string): Promise<string | null> {
      const row = await query('decision_contexts').select('document').where({ hash }).first()
      return row?.document ?? null
    },
  }
}
