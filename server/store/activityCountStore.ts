import type { Knex } from 'knex'

/** How many events of one type a party had in one hour. */
export type HourCount = { hourStart: number; eventType: string; count: number }

export type ActivityCountStore = ReturnType<typeof createActivityCountStore>

const HOUR_MS = 3_600_000

/** Counts events through the index of the activity feed. */
export function createActivityCountStore(query: Knex) {
  /** The last `limit` events of a party: what a count may cost is bounded by it, however long the party is there. */
  const lastOf = (party_id: string, limit: number) =>
    query('feed.party_events')
      .select('seq', 'event_type', 'recorded_at')
      .where({ party_id })
      .orderBy('seq', 'desc')
      .limit(limit)
      .as('last')

  return {
    /** Counts among the last events of some parties since a moment, by hour and type; an event of two counts once. */
    async countByHour(
      parties: readonly string[],
      { since, limit }: { since: number; limit: number },
    ): Promise<HourCount[]> {
      const counts: HourCount[] = []
      for (const [at, party] of parties.entries()) {
        const rows = await query
          .from(lastOf(party, limit))
          .select(query.raw(`recorded_at - recorded_at % ${HOUR_MS} AS hour_start`), 'event_type')
          .count({ count: '*' })
          .where('recorded_at', '>=', since)
          .whereNotExists(
            query('feed.party_events as other')
              .select('other.seq')
              .whereIn('other.party_id', parties.slice(0, at))
              .whereRaw('other.seq = last.seq'),
          )
          .groupBy('hour_start', 'event_type')
        for (const { hour_start, event_type, count } of rows) {
          counts.push({ hourStart: Number(hour_start), eventType: event_type, count: Number(count) })
        }
      }
      return counts
    },

    /** Whether a party has more events since a moment than a count of the last `limit` ones sees. */
    async hasMoreThan(
      party_id: string,
      { since, limit }: { since: number; limit: number },
    ): Promise<boolean> {
      const beyond = await query('feed.party_events')
        .select('recorded_at')
        .where({ party_id })
        .orderBy('seq', 'desc')
        .offset(limit)
        .first()
      return beyond !== undefined && Number(beyond.recorded_at) >= since
    },
  }
}
