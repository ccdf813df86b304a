import type { LoggedRecord } from '../../store/feed/projectionStore.ts'

/** A record of the log with its payload parsed: once, because that is most of what can be saved in a projection. */
export type ReadRecord = LoggedRecord & { data: Readonly<Record<string, unknown>> }

export function readRecord(record: LoggedRecord): ReadRecord {
  return { ...record, data: JSON.parse(record.eventData) }
}
