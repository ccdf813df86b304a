import type { Knex } from 'knex'
import type { AuditRecord } from './auditRecordStore.ts'
import { EVENT_COLUMNS } from './auditRecordStore.ts'

/** An archive file and the range of records whose payload it contains, both ends included. */
export type Archive = {
  firstSeq: number
  lastSeq: number
  file: string
  sha256: string
  /** The first record whose payload may still be in the database. */
  clearedTo: number
}

/** A record with everything that is archived with it. */
export type ArchivedRecord = AuditRecord & {
  /** Undefined if none was issued. */
  receipt?: string
}

/** A record whose payload moves to the archive; `eventData` is the part that stays in the database. */
export type ClearedRecord = { seq: number; eventData: string }

export type ArchiveStore = ReturnType<typeof createArchiveStore>

/** Moves payloads out of the log; entries, log indexes and parties remain. */
export function createArchiveStore(query: Knex) {
  return {
    /** Reads the newest archive; null before the first. */
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

    /** Reads complete records of a range, both ends included, oldest first. */
    async records(fromSeq: number, toSeq: number, limit: number): Promise<ArchivedRecord[]> {
      const rows: AuditRecord[] = await query('audit_records')
        .select({ ...EVENT_COLUMNS, inputs: 'inputs', inputsSalt: 'inputs_salt', entry: 'entry' })
        .whereBetween('seq', [fromSeq, toSeq])
        .orderBy('seq')
        .limit(limit)
      const ids = rows.map(({ recordId }) => recordId)
      const issued = await query('receipts').select('record_id', 'receipt').whereIn('record_id', ids)
      const receipts = new Map<string, string>(issued.map(({ record_id, receipt }) => [record_id, receipt]))
      return rows.map((row) => {
        const receipt = receipts.get(row.recordId)
        const record = { ...row, seq: Number(row.seq), recordedAt: Number(row.recordedAt) }
        return receipt === undefined ? record : { ...record, receipt }
      })
    },

    /**
     * Stores an archive whose file is on disk.
     *
     * @throws Error if another process has stored an archive that begins with the same record.
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

    /** Removes the payload of these records, and stores the progress. */
    async clear(
      trx: Knex.Transaction,
      archive: Archive,
      { records, clearedTo }: { records: readonly ClearedRecord[]; clearedTo: number },
    ): Promise<void> {
      await trx('audit_archives').where({ first_seq: archive.firstSeq }).update({ cleared_to: clearedTo })
      // Most remaining event data is identical across records, so few statements suffice.
      for (const [eventData, same] of Map.groupBy(records, ({ eventData }) => eventData)) {
        const seqs = same.map(({ seq }) => seq)
        const payload = { event_data: eventData, inputs: '', inputs_salt: '' }
        await trx('audit_records').whereIn('seq', seqs).update(payload)
        // Its row stays: an archived grant can still be withdrawn.
        const archived = trx('audit_records').select('record_id').whereIn('seq', seqs)
        await trx('receipts').whereIn('record_id', archived).update({ receipt: '' })
      }
    },
  }
}
