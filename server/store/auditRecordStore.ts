import type { Knex } from 'knex'
import { EVENT_COLUMNS } from './eventColumns.ts'
import { isPostgres } from './isPostgres.ts'
import { POSTGRES_LOCKS } from './postgresLocks.ts'

/**
 * One outcome on its way into the log: its event, session and audit entry.
 *
 * `entryOf` builds the public entry once the transaction knows the sequence number.
 */
export type NewAuditRecord = {
  /** UUIDv7, the `auditRecordId` of answers and events. */
  recordId: string
  /** Epoch milliseconds. */
  recordedAt: number
  eventType: string
  /** Owner of the calling agent (`SVCD-`/`SVCO-`). */
  ownerId: string | null
  /** Owner of the endpoint (`SVCD-`/`SVCO-`). */
  counterpartyOwnerId: string | null
  /** `SVC-` identifier. */
  agentId: string | null
  /** Internal id of the endpoint: stable through discovery and claim. */
  endpointId: string | null
  sessionId: string | null
  /** JSON text of the event's payload; unmasked, the views mask it. */
  eventData: string
  /** Canonical JSON text of everything the decision was made from. */
  inputs: string
  /** 16 bytes in hex; private, so that the public hash of the inputs says nothing. */
  inputsSalt: string
  entryOf(seq: number): string
}

export type AuditRecord = Omit<NewAuditRecord, 'entryOf'> & { seq: number; entry: string }

const COLUMNS = { ...EVENT_COLUMNS, inputs: 'inputs', inputsSalt: 'inputs_salt', entry: 'entry' } as const

export type AuditRecordStore = ReturnType<typeof createAuditRecordStore>

/** Reads and appends audit records outside the hot path; the recorder appends the verifications. */
export function createAuditRecordStore(query: Knex) {
  return {
    /**
     * Appends inside a use case's own transaction and returns the sequence number it got; nobody else appends until
     * that transaction ends.
     */
    async append(trx: Knex.Transaction, record: NewAuditRecord): Promise<number> {
      if (isPostgres(trx)) await trx.raw(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCKS.log})`)
      const last = await trx('audit_records').max({ seq: 'seq' }).first()
      const seq = last?.seq === null || last?.seq === undefined ? 0 : Number(last.seq) + 1
      await trx('audit_records').insert({
        seq,
        record_id: record.recordId,
        recorded_at: record.recordedAt,
        event_type: record.eventType,
        owner_id: record.ownerId,
        counterparty_owner_id: record.counterpartyOwnerId,
        agent_id: record.agentId,
        endpoint_id: record.endpointId,
        session_id: record.sessionId,
        event_data: record.eventData,
        inputs: record.inputs,
        inputs_salt: record.inputsSalt,
        entry: record.entryOf(seq),
      })
      return seq
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
    async size(): Promise<number> {
      const last = await query('audit_records').max({ seq: 'seq' }).first()
      return last?.seq === null || last?.seq === undefined ? 0 : Number(last.seq) + 1
    },
  }
}
