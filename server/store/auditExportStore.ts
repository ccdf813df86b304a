import type { Knex } from 'knex'
import type { AuditRecord } from './auditRecordStore.ts'
import { partyPlaces } from './partyPlaces.ts'

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
      const seqs = await partyPlaces(query, parties, { order: 'asc', limit }, (places) => {
        places.whereBetween('seq', [range.from, range.to])
      })
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
        .whereIn('seq', seqs)
        .orderBy('seq')
    },
  }
}
