import type pg from 'pg'
import type { LogCount, LogPlace } from '../audit/logStore.ts'

/** Reads the sizes of all logs that there have been, and the place of the last record in the feed, as the stage has it. */
export async function readSizes(
  client: pg.Client,
  counts: readonly LogCount[],
  { nextSeq, lastSeq }: { nextSeq: number; lastSeq: number },
): Promise<{ sizes: number[]; last: LogPlace | null }> {
  const [placed, last] = await Promise.all([
    client.query<{ size: number | null }>({
      name: 'log_sizes',
      text: `SELECT (SELECT MAX(place) + 1 FROM feed.log_places WHERE log = number) AS size
        FROM generate_series(0, $1::int - 1) AS number ORDER BY number`,
      values: [Math.max(...counts.map(({ logs }) => logs), 1)],
    }),
    client.query<LogPlace>({
      name: 'place_of',
      text: 'SELECT log, place AS index FROM feed.log_places WHERE seq = $1',
      values: [lastSeq],
    }),
  ])
  const firstSplit = counts[0]?.fromSeq ?? Number.POSITIVE_INFINITY
  const unplaced = Math.min(nextSeq, firstSplit)
  const sizes = placed.rows.map(({ size }, log) => size ?? (log === 0 ? unplaced : 0))
  return { sizes, last: last.rows[0] ?? (lastSeq < firstSplit ? { log: 0, index: lastSeq } : null) }
}
