import type { Knex } from 'knex'
import type { NewAuditRecord } from './newAuditRecord.ts'

/** In which span a record was made; kept for as long as webhooks are retried. */
export type RecordOrigin = Pick<NewAuditRecord, 'recordId' | 'recordedAt'> & { traceParent: string }

/** The spans in which records were made, with which their deliveries continue the trace in any process. */
export function createRecordOriginStore(query: Knex) {
  return {
    /** Reads the `traceparent` of the span in which a record was made; null if it was not sampled, or is too old. */
    async find(recordId: string): Promise<string | null> {
      const row = await query('record_origins').select('trace_parent').where({ record_id: recordId }).first()
      return row?.trace_parent ?? null
    },
  }
}

/** The origins of those records that a webhook may deliver. */
export function originsOf(records: readonly NewAuditRecord[], traceParent: string): RecordOrigin[] {
  return records
    .filter(({ eventType, endpointId }) => endpointId !== null && eventType.startsWith('verification.'))
    .map(({ recordId, recordedAt }) => ({ recordId, recordedAt, traceParent }))
}
