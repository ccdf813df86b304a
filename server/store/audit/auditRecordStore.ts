import type { Knex } from 'knex'
import type { NewAuditRecord } from './newAuditRecord.ts'
import { queueRecord, readLogSize } from './recordsAtCommit.ts'

/** What an event is read from, as its parties may see it: all of an audit record but its inputs and its entry. */
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

export type AuditRecord = Omit<NewAuditRecord, 'entryOf'> & { seq: number; entry: string }

const COLUMNS = { ...EVENT_COLUMNS, inputs: 'inputs', inputsSalt: 'inputs_salt', entry: 'entry' } as const

export type AuditRecordStore = ReturnType<typeof createAuditRecordStore>

/** Reads and appends audit records outside the hot path; the recorder appends the verifications. */
export function createAuditRecordStore(query: Knex) {
  return {
    /** Appends to the log when the use case’s own transaction ends, so that its records stand one after another. */
    async append(trx: Knex.Transaction, record: NewAuditRecord): Promise<void> {
      queueRecord(trx, record)
    },

    /** One record by its place in the log. */
    async bySeq(seq: number): Promise<AuditRecord | null> {
      const row = await query('audit_records').select(COLUMNS).where({ seq }).first()
      return row ?? null
    },

    /** One record by its id; sees what the projection has reached. */
    async byRecordId(recordId: string): Promise<AuditRecord | null> {
      const row = await query('audit_records')
        .select(COLUMNS)
        .where('seq', '=', query('feed.record_positions').select('seq').where({ record_id: recordId }))
        .first()
      return row ?? null
    },

    /** The record a session was opened by; sees what the projection has reached. */
    async bySessionId(sessionId: string): Promise<AuditRecord | null> {
      const row = await query('audit_records')
        .select(COLUMNS)
        .where('seq', '=', query('feed.session_positions').select('seq').where({ session_id: sessionId }))
        .first()
      return row ?? null
    },

    /** How many records the log holds. */
    size: (): Promise<number> => readLogSize(query),
  }
}
