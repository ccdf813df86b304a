import type { Knex } from 'knex'

/** Rows of a table in the order in which lists show them, from the place before which a part begins; null is the start. */
export function orderNewestFirst(rows: Knex.QueryBuilder, before: number | null): Knex.QueryBuilder {
  if (before !== null) rows.where('position', '<', before)
  return rows.orderBy('position', 'desc')
}
