import type { Knex } from 'knex'
import { POSTGRES_LOCKS } from '../database/buildPostgresConnection.ts'
import { isPostgres } from '../database/knexSettings.ts'
import type { NewAuditRecord } from './newAuditRecord.ts'

/** Rows per statement, limited by the number of values that SQLite accepts. */
const ROWS_AT_ONCE = 200

/** The records that each transaction has yet to write. */
const waiting = new WeakMap<Knex.Transaction, NewAuditRecord[]>()

/** Queues a record to be written at the end of this transaction. */
export function queueRecord(trx: Knex.Transaction, record: NewAuditRecord): void {
  const records = waiting.get(trx)
  if (records) records.push(record)
  else waiting.set(trx, [record])
}

/**
 * Wraps a use case’s transaction so that it writes its records last, just before the commit.
 *
 * A transaction that knows the end of the log blocks all other writers of the log until it commits, including decisions on
 * the hot path. A use case that changes thousands of agents would block them for seconds if it wrote each record
 * immediately.
 */
export function withRecordsAtCommit<Result>(work: (trx: Knex.Transaction) => Promise<Result>) {
  return async (trx: Knex.Transaction): Promise<Result> => {
    const result = await work(trx)
    await writeRecords(trx, waiting.get(trx) ?? [])
    return result
  }
}

async function writeRecords(trx: Knex.Transaction, records: readonly NewAuditRecord[]): Promise<void> {
  if (records.length === 0) return
  if (isPostgres(trx)) await trx.raw(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCKS.log})`)
  const first = await readLogSize(trx)
  for (let from = 0; from < records.length; from += ROWS_AT_ONCE) {
    const part = records.slice(from, from + ROWS_AT_ONCE)
    await trx('audit_records').insert(part.map((record, nth) => rowOf(record, first + from + nth)))
  }
}

function rowOf(record: NewAuditRecord, seq: number) {
  return {
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
  }
}

/** Counts the records of the log, which is also the next sequence number; pass a transaction to count its view. */
export async function readLogSize(reader: Knex): Promise<number> {
  const last = await reader('audit_records').max({ seq: 'seq' }).first()
  return last?.seq === null || last?.seq === undefined ? 0 : Number(last.seq) + 1
}
