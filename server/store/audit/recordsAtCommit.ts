import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'
import { traceParentOf } from '../database/traceTransactions.ts'
import { readLogSize } from './logSize.ts'
import type { NewAuditRecord } from './newAuditRecord.ts'
import { originsOf } from './recordOriginStore.ts'

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
 * On SQLite they then get their places, one after the other. On PostgreSQL they become pending records, which get their
 * places after the commit, so that no transaction waits for another one's place.
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
  const first = isPostgres(trx) ? null : await readLogSize(trx)
  for (let from = 0; from < records.length; from += ROWS_AT_ONCE) {
    const written = records.slice(from, from + ROWS_AT_ONCE)
    const rows = written.map(rowOf)
    if (first === null) await trx('pending_records').insert(rows)
    else await trx('audit_records').insert(rows.map((row, nth) => ({ seq: first + from + nth, ...row })))
    await writeOrigins(trx, written)
  }
}

/** The span of the transaction, so that deliveries of the records continue its trace. */
async function writeOrigins(trx: Knex.Transaction, records: readonly NewAuditRecord[]): Promise<void> {
  const parent = traceParentOf(trx)
  const origins = typeof parent === 'string' ? originsOf(records, parent) : []
  if (origins.length === 0) return
  await trx('record_origins').insert(
    origins.map(({ recordId, traceParent, recordedAt }) => ({
      record_id: recordId,
      trace_parent: traceParent,
      recorded_at: recordedAt,
    })),
  )
}

function rowOf(record: NewAuditRecord) {
  return {
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
    entry: record.entry,
  }
}
