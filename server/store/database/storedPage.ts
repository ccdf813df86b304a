import type { Knex } from 'knex'

/** Part of a list as a store answers it; `nextBefore` is the place that the next part goes on before, null at the end. */
export type StoredPage<Item> = { items: Item[]; nextBefore: number | null }

/**
 * A part of a list out of rows of which one more was read than it may hold, if there was one.
 *
 * @param rows In the order of the list, each with its `position`, at most one more than `limit`.
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

/** Rows of a table in the order in which lists show them, from the place before which a part begins; null is the start. */
export function orderNewestFirst(rows: Knex.QueryBuilder, before: number | null): Knex.QueryBuilder {
  if (before !== null) rows.where('position', '<', before)
  return rows.orderBy('position', 'desc')
}
