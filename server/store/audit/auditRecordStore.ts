import type { Knex } from 'knex'
import { readLogSize } from './logSize.ts'
import type { NewAuditRecord } from './newAuditRecord.ts'
import { type PendingRecords, readPendingRecords } from './pendingRecords.ts'
import { queueRecord } from './recordsAtCommit.ts'

/** The columns of an event as its parties may see it: the audit record without its inputs and its entry. */
export const EVENT_COLUMNS = {
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
} as const

export type AuditRecord = Omit<NewAuditRecord, 'receipt'> & { seq: number }

const COLUMNS = { ...EVENT_COLUMNS, inputs: 'inputs', inputsSalt: 'inputs_salt', entry: 'entry' } as const

export type AuditRecordStore = ReturnType<typeof createAuditRecordStore>

/** Reads and appends audit records outside the hot path; the recorder appends verifications. */
export function createAuditRecordStore(query: Knex) {
  return {
    /** Appends to the log at the end of the use case’s transaction, in the order of the calls. */
    async append(trx: Knex.Transaction, record: NewAuditRecord): Promise<void> {
      queueRecord(trx, record)
    },

    /** Reads a record by its sequence number. */
    async bySeq(seq: number): Promise<AuditRecord | null> {
      const row = await query('audit_records').select(COLUMNS).where({ seq }).first()
      return row ?? null
    },

    /** Reads a record by its id, as far as the projection has processed the log. */
    async byRecordId(recordId: string): Promise<AuditRecord | null> {
      const row = await query('audit_records')
        .select(COLUMNS)
        .where('seq', '=', query('feed.record_positions').select('seq').where({ record_id: recordId }))
        .first()
      return row ?? null
    },

    /** Reads the record that opened a session, as far as the projection has processed the log. */
    async bySessionId(sessionId: string): Promise<AuditRecord | null> {
      const row = await query('audit_records')
        .select(COLUMNS)
        .where('seq', '=', query('feed.session_positions').select('seq').where({ session_id: sessionId }))
        .first()
      return row ?? null
    },

    /** Counts the records that have a place in the log. */
    size: (): Promise<number> => readLogSize(query),

    /** Reads how many committed records wait for their place. */
    pending: (): Promise<PendingRecords> => readPendingRecords(query),
  }
}
