import type { Knex } from 'knex'

/**
 * Reads the log indexes of at most `limit` events of given parties, as `select` selects those of each.
 *
 * Each party’s index is read up to the limit only, because one query over several parties would sort all their events.
 */
export async function readEventPositions(
  parties: readonly string[],
  page: { order: 'asc' | 'desc'; limit: number },
  select: (party: string) => Knex.QueryBuilder,
): Promise<number[]> {
  const { order, limit } = page
  const found = new Set<number>()
  for (const party_id of parties) {
    const rows = await select(party_id).orderBy('seq', order).limit(limit)
    for (const { seq } of rows) found.add(Number(seq))
  }
  const sorted = [...found].sort((a, b) => (order === 'asc' ? a - b : b - a))
  return sorted.slice(0, limit)
}
