import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { LogPlace, LogStore } from '../../store/audit/logStore.ts'

export type ReadTimeDeps = {
  records: Pick<AuditRecordStore, 'bySeq'>
  /** Null where there has always been one log: indexes are then sequence numbers. */
  logs: Pick<LogStore, 'seqAt' | 'nextSeq'> | null
}

/** Reads when the record at a place was recorded, in epoch milliseconds; null if there is none, as far as is known yet. */
export async function readTime({ records, logs }: ReadTimeDeps, place: LogPlace): Promise<number | null> {
  const seq = logs === null ? place.index : await logs.seqAt(place)
  return seq === null ? null : timeOf(records, seq)
}

/**
 * Reads since when a record may have been waiting at a place: with several logs, it may be the first one that the projection
 * has not processed.
 */
export async function readWaitingSince(deps: ReadTimeDeps, place: LogPlace): Promise<number | null> {
  const { records, logs } = deps
  return (await readTime(deps, place)) ?? (logs && timeOf(records, await logs.nextSeq()))
}

async function timeOf(records: ReadTimeDeps['records'], seq: number): Promise<number | null> {
  const record = await records.bySeq(seq)
  return record === null ? null : Number(record.recordedAt)
}
