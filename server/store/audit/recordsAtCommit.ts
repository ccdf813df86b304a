import type { Knex } from 'knex'
import { POSTGRES_LOCKS } from '../database/buildPostgresConnection.ts'
import { isPostgres } from '../database/knexSettings.ts'
import type { NewAuditRecord } from './newAuditRecord.ts'

/** Rows of one statement: its values have to fit into what SQLite takes. */
const ROWS_AT_ONCE = 200

/** What each transaction has yet to write. */
const waiting = new WeakMap<Knex.Transaction, NewAuditRecord[]>()

/** Has a record written at the end of this transaction. */
export function queueRecord(trx: Knex.Transaction, record: NewAuditRecord): void {
  const records = waiting.get(trx)
  if (records) records.push(record)
  else waiting.set(trx, [record])
}

/**
 * A use case's transaction that writes its records last, just before it commits.
 *
 * Whoever knows the end of the log keeps everybody else from it until it commits, decisions on the hot path too. A use
 * case that changes thousands of agents would keep it for seconds, had it the first of its records written when it is made.
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

/** How many records the log holds, which is also the place of the next one; as a transaction sees it when given one. */
export async function readLogSize(reader: Knex): Promise<number> {
  const last = await reader('audit_records').max({ seq: 'seq' }).first()
  return last?.seq === null || last?.seq === undefined ? 0 : Number(last.seq) + 1
}
