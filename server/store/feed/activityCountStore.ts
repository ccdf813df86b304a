import type { Knex } from 'knex'

/** As much of an event as a count needs; `recordedAt` in epoch milliseconds. */
export type CountedEvent = { seq: number; eventType: string; recordedAt: number }

export type ActivityCountStore = ReturnType<typeof createActivityCountStore>

/** Reads what is counted of the activity feed. */
export function createActivityCountStore(query: Knex) {
  return {
    /** The last events of a party, newest first: what a count may cost is bounded by `limit`, however long the party is there. */
    async lastOf(party_id: string, limit: number): Promise<CountedEvent[]> {
      const rows = await query('feed.party_events')
        .select('seq', 'event_type', 'recorded_at')
        .where({ party_id })
        .orderBy('seq', 'desc')
        .limit(limit)
      return rows.map(({ seq, event_type, recorded_at }) => ({
        seq: Number(seq),
        eventType: String(event_type),
        recordedAt: Number(recorded_at),
      }))
    },
  }
}
