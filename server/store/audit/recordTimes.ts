import type { Knex } from 'knex'

/** When the record at a log index was recorded, by the clock of its process, in epoch milliseconds. */
export type RecordTime = { seq: number; recordedAt: number }

/**
 * Number of records that one statement scans. The recording time has no index, because every decision would pay for it, and
 * a scan of a long log in one statement would exceed the statement timeout.
 */
const STRETCH = 100_000

export type RecordTimes = ReturnType<typeof createRecordTimes>

/** Finds records by when they were recorded. Their order in the log is only roughly that of their times. */
export function createRecordTimes(query: Knex, stretch = STRETCH) {
  return {
    /** Finds the first record with `fromSeq` ≤ seq < `toSeq` that is not older than a given time; null if all are older. */
    async firstSince(fromSeq: number, toSeq: number, since: number): Promise<RecordTime | null> {
      for (let seq = fromSeq; seq < toSeq; seq += stretch) {
        const row = await query('audit_records')
          .select('seq', 'recorded_at')
          .where('seq', '>=', seq)
          .where('seq', '<', Math.min(seq + stretch, toSeq))
          .where('recorded_at', '>=', since)
          .orderBy('seq')
          .first()
        if (row !== undefined) return timeOf(row)
      }
      return null
    },

    /** Reads the next records after a log index that were recorded by a given time, as far as one statement scans. */
    async nextUntil(seq: number, until: number, limit: number): Promise<RecordTime[]> {
      const rows = await query('audit_records')
        .select('seq', 'recorded_at')
        .where('seq', '>', seq)
        .where('seq', '<=', seq + stretch)
        .where('recorded_at', '<=', until)
        .orderBy('seq')
        .limit(limit)
      return rows.map(timeOf)
    },
  }
}

function timeOf(row: { seq: unknown; recorded_at: unknown }): RecordTime {
  return { seq: Number(row.seq), recordedAt: Number(row.recorded_at) }
}
