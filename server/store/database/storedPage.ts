import type { Knex } from 'knex'

/** A page of a list; `nextBefore` is the position before which the next page starts, null at the end. */
export type StoredPage<Item> = { items: Item[]; nextBefore: number | null }

/**
 * Builds a page from rows, of which one more than `limit` was read if there was one.
 *
 * @param rows In list order, each with its `position`.
 */
export function cutPage<Row, Item>(
  rows: readonly (Row & { position?: unknown })[],
  limit: number,
  itemOf: (row: Row) => Item,
): StoredPage<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(itemOf), nextBefore: last ? Number(last.position) : null }
}

/** Orders rows as lists show them, starting before a position; null starts with the newest. */
export function orderNewestFirst(rows: Knex.QueryBuilder, before: number | null): Knex.QueryBuilder {
  if (before !== null) rows.where('position', '<', before)
  return rows.orderBy('position', 'desc')
}
