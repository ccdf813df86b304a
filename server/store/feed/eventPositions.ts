import type { Knex } from 'knex'

/**
 * Where in the log the events of some parties stand, at most `limit` of them, in the order `narrow` asks for.
 *
 * Each party's own index is read to the limit and no further: one order over several would sort all they have.
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
