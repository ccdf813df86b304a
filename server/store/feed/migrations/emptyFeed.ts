import type { Knex } from 'knex'

/** The tables that the projection has filled since the first release, apart from its progress. */
const FIRST_TABLES = [
  'party_events',
  'record_positions',
  'session_positions',
  'agent_behaviour',
  'tree_nodes',
]

/**
 * Empties the feed, so that the projection fills all of its tables from the log.
 *
 * @param later Tables to empty that earlier migrations have added.
 */
export async function emptyFeed(schema: Knex, later: readonly string[]): Promise<void> {
  for (const table of [...FIRST_TABLES, ...later]) await schema(table).delete()
  await schema('projection_state').where({ id: 1 }).update({ next_seq: 0 })
}
