import type { Knex } from 'knex'
import type { AuditRecord } from './auditRecordStore.ts'
import { EVENT_COLUMNS } from './auditRecordStore.ts'

/** One archive file, and the records whose payload it holds, both ends included. */
export type Archive = {
  firstSeq: number
  lastSeq: number
  file: string
  sha256: string
  /** First record whose payload may still be in the database. */
  clearedTo: number
}

/** What of a record is in its archive alone afterwards; `eventData` is what stays. */
export type ClearedRecord = { seq: number; eventData: string }

/**
 * Records that one statement looks through. When they were recorded has no index, which every decision would pay for; a
 * statement over all of a long log would take longer than a statement may.
 */
const STRETCH = 100_000

export type ArchiveStore = ReturnType<typeof createArchiveStore>

/** Moves payloads out of the log; entries, places and parties stay. */
export function createArchiveStore(query: Knex, stretch = STRETCH) {
  return {
    /** The newest archive; null before the first. */
    async last(): Promise<Archive | null> {
      const row = await query('audit_archives')
        .select('first_seq', 'last_seq', 'file', 'sha256', 'cleared_to')
        .orderBy('first_seq', 'desc')
        .first()
      if (row === undefined) return null
      const { file, sha256 } = row
      const [firstSeq, lastSeq, clearedTo] = [row.first_seq, row.last_seq, row.cleared_to].map(Number)
      return { firstSeq: firstSeq ?? 0, lastSeq: lastSeq ?? 0, file, sha256, clearedTo: clearedTo ?? 0 }
    },

    /** The first record of places `fromSeq` to before `toSeq` that is not older than a moment; null when all are. */
    async firstSince(fromSeq: number, toSeq: number, since: number): Promise<number | null> {
      for (let seq = fromSeq; seq < toSeq; seq += stretch) {
        const row = await query('audit_records')
          .select('seq')
          .where('seq', '>=', seq)
          .where('seq', '<', Math.min(seq + stretch, toSeq))
          .where('recorded_at', '>=', since)
          .orderBy('seq')
          .first()
        if (row !== undefined) return Number(row.seq)
      }
      return null
    },

    /** Whole records of a range, both ends included, oldest first. */
    async records(fromSeq: number, toSeq: number, limit: number): Promise<AuditRecord[]> {
      const rows: AuditRecord[] = await query('audit_records')
        .select({ ...EVENT_COLUMNS, inputs: 'inputs', inputsSalt: 'inputs_salt', entry: 'entry' })
        .whereBetween('seq', [fromSeq, toSeq])
        .orderBy('seq')
        .limit(limit)
      return rows.map((row) => ({ ...row, seq: Number(row.seq), recordedAt: Number(row.recordedAt) }))
    },

    /**
     * Notes an archive whose file is on disk.
     *
     * @throws Error when another archiving has noted one that begins with the same record.
     */
    async add(trx: Knex.Transaction, archive: Archive, now: number): Promise<void> {
      await trx('audit_archives').insert({
        first_seq: archive.firstSeq,
        last_seq: archive.lastSeq,
        file: archive.file,
        sha256: archive.sha256,
        archived_at: now,
        cleared_to: archive.clearedTo,
      })
    },

    /** Takes the payload of these records out, and notes how far that has come. */
    async clear(
      trx: Knex.Transaction,
      archive: Archive,
      { records, clearedTo }: { records: readonly ClearedRecord[]; clearedTo: number },
    ): Promise<void> {
      await trx('audit_archives').where({ first_seq: archive.firstSeq }).update({ cleared_to: clearedTo })
      // Most of what stays is the same for many records, so that few statements do it.
      for (const [eventData, same] of Map.groupBy(records, ({ eventData }) => eventData)) {
        const seqs = same.map(({ seq }) => seq)
        const payload = { event_data: eventData, inputs: '', inputs_salt: '' }
        await trx('audit_records').whereIn('seq', seqs).update(payload)
      }
    },
  }
}
