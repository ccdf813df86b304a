import type { Knex } from 'knex'

/** What a party can still find of a record without its payload. */
type PrunedEvent = { partyId: string; searchText: string }

/** A record whose payload is removed; `eventData` is what stays of the event, as JSON text. */
export type PrunedRecord = {
  seq: number
  recordId: string
  eventData: string
  events: readonly PrunedEvent[]
}

/**
 * Replaces the payload of records, in the log and in the feed: event, inputs and salt. Entries, log indexes and parties
 * stay, and with them every proof.
 */
export async function prunePayload(trx: Knex.Transaction, records: readonly PrunedRecord[]): Promise<void> {
  for (const { seq, eventData, events } of records) {
    await trx('audit_records').where({ seq }).update({ event_data: eventData, inputs: '', inputs_salt: '' })
    for (const { partyId, searchText } of events) {
      await trx('feed.party_events')
        .where({ party_id: partyId, seq })
        .update({ source_ip: null, search_text: searchText })
    }
  }
}
