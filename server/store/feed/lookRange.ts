import type { Knex } from 'knex'
import { type ActivityFilter, eventsOf, whereIndexed } from './activityFilter.ts'

/** Log indexes only roughly follow the order of times: a decision may be recorded up to seconds after its time. */
const DISORDER_MS = 60_000

/** The order of a list, and the log index of its last item so far; null at its beginning. */
export type LookPosition = { order: 'asc' | 'desc'; cursor: number | null }

/** Log indexes between two bounds, both excluded. */
export type SeqRange = { after: number; before: number }

/** Restricts rows to a range of log indexes. */
export function whereWithin(rows: Knex.QueryBuilder, { after, before }: SeqRange): void {
  rows.where('seq', '>', after).where('seq', '<', before)
}

/** Finds the log indexes of a party that can be of the requested time and are not listed yet. */
export async function findRange(
  query: Knex,
  { since, until }: ActivityFilter,
  { order, cursor }: LookPosition,
  party_id: string,
): Promise<SeqRange> {
  const events = () => query('feed.party_events').select('seq').where({ party_id })
  const last =
    since !== undefined &&
    (await events()
      .where('recorded_at', '<', since - DISORDER_MS)
      .orderBy('recorded_at', 'desc')
      .orderBy('seq', 'desc')
      .first())
  const next =
    until !== undefined &&
    (await events()
      .where('recorded_at', '>=', until + DISORDER_MS)
      .orderBy('recorded_at', 'asc')
      .orderBy('seq', 'asc')
      .first())
  const after = last ? Number(last.seq) : -1
  const before = next ? Number(next.seq) : Number.MAX_SAFE_INTEGER
  if (cursor === null) return { after, before }
  return order === 'desc'
    ? { after, before: Math.min(before, cursor) }
    : { after: Math.max(after, cursor), before }
}

/**
 * Finds the log index at which a query has to stop in a range, because it has read as many rows of its index as it may; null
 * if it may read them all.
 */
export async function findEnd(
  query: Knex,
  filter: ActivityFilter,
  { order, range, rowsMax }: { order: 'asc' | 'desc'; range: SeqRange; rowsMax: number },
  party_id: string,
): Promise<number | null> {
  const rows = eventsOf(query, filter, party_id)
  if (whereIndexed(rows, filter).isExact) return null
  whereWithin(rows, range)
  const last = await rows
    .orderBy('seq', order)
    .offset(rowsMax - 1)
    .first()
  return last === undefined ? null : Number(last.seq)
}
