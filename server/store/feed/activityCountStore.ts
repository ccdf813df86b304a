import type { Knex } from 'knex'

/** The part of an event that counting needs; `recordedAt` is in epoch milliseconds. */
export type CountedEvent = { seq: number; eventType: string; recordedAt: number }

export type ActivityCountStore = ReturnType<typeof createActivityCountStore>

/** Reads events of the activity feed for counting. */
export function createActivityCountStore(query: Knex) {
  return {
    /**
     * Reads the last events of a party, newest first; `limit` bounds the cost of a count for a party with a long history.
     */
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
