import type { Knex } from 'knex'
import type { AuditRecord } from './auditRecordStore.ts'

/** A record as its parties may take it away: without the inputs, which hold the policies of both. */
export type ExportedRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt'>

/** Places in the log, both included. */
export type SeqRange = { from: number; to: number }

export type AuditExportStore = ReturnType<typeof createAuditExportStore>

/** Reads the records of some parties in the order of the log. */
export function createAuditExportStore(query: Knex) {
  return {
    /**
     * At most `limit` records of the range that one of the parties may see, oldest first.
     *
     * Each party's own index is read to the limit and no further: an order over several would sort all they have.
     */
    async ofParties(parties: readonly string[], range: SeqRange, limit: number): Promise<ExportedRecord[]> {
      const places = parties.map((party_id) =>
        query('feed.party_events')
          .select('seq')
          .where({ party_id })
          .whereBetween('seq', [range.from, range.to])
          .orderBy('seq')
          .limit(limit),
      )
      const seqs = new Set<number>()
      for (const place of places) for (const { seq } of await place) seqs.add(Number(seq))
      return query('audit_records')
        .select({
          seq: 'seq',
          recordId: 'record_id',
          recordedAt: 'recorded_at',
          eventType: 'event_type',
          ownerId: 'owner_id',
          counterpartyOwnerId: 'counterparty_owner_id',
          agentId: 'agent_id',
          endpointId: 'endpoint_id',
          sessionId: 'session_id',
          eventData: 'event_data',
          entry: 'entry',
        })
        .whereIn('seq', [...seqs].sort((a, b) => a - b).slice(0, limit))
        .orderBy('seq')
    },
  }
}
