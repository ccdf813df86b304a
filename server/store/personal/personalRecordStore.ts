import type { Knex } from 'knex'
import { EVENT_COLUMNS } from '../audit/auditRecordStore.ts'
import { type PrunedRecord, prunePayload } from '../audit/prunePayload.ts'
import type { LoggedRecord } from '../feed/projectionStore.ts'

export type PersonalRecordStore = ReturnType<typeof createPersonalRecordStore>

/** Erases the payload of a person's records; entries, log indexes and parties stay, and with them every proof. */
export function createPersonalRecordStore(query: Knex) {
  return {
    /** Reads records in which one of these owners is a party, in log order, as far as the feed has come. */
    async after(ownerIds: readonly string[], seq: number, limit: number): Promise<LoggedRecord[]> {
      const places = await query('feed.party_events')
        .distinct('seq')
        .whereIn('party_id', [...ownerIds])
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(limit)
      const rows = await query('audit_records')
        .select({ ...EVENT_COLUMNS, entry: 'entry' })
        .whereIn(
          'seq',
          places.map((place) => Number(place.seq)),
        )
        .orderBy('seq')
      return rows.map((row) => ({ ...row, seq: Number(row.seq), recordedAt: Number(row.recordedAt) }))
    },

    /** Replaces the payload of these records, in the log and in the feed. */
    async erase(trx: Knex.Transaction, records: readonly PrunedRecord[]): Promise<void> {
      await prunePayload(trx, records)
      const ids = records.map(({ recordId }) => recordId)
      await trx('receipts').whereIn('record_id', ids).update({ receipt: '' })
    },
  }
}
