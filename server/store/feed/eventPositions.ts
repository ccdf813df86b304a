import type { Knex } from 'knex'

/**
 * Reads the log indexes of at most `limit` events of given parties, in the order that `narrow` sets.
 *
 * Each party’s index is read up to the limit only, because one query over several parties would sort all their events.
 */
export async function readEventPositions(
  query: Knex,
  parties: readonly string[],
  page: { order: 'asc' | 'desc'; limit: number },
  narrow: (places: Knex.QueryBuilder, party: string) => void,
): Promise<number[]> {
  const { order, limit } = page
  const found = new Set<number>()
  for (const party_id of parties) {
    const places = query('feed.party_events')
      .select('seq')
      .where({ party_id })
      .orderBy('seq', order)
      .limit(limit)
    narrow(places, party_id)
    for (const { seq } of await places) found.add(Number(seq))
  }
  const sorted = [...found].sort((a, b) => (order === 'asc' ? a - b : b - a))
  return sorted.slice(0, limit)
}
