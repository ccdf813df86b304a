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
