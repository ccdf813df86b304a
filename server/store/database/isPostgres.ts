import type { Knex } from 'knex'

/** Whether statements go to PostgreSQL, for the few that differ. */
export function isPostgres(query: Knex): boolean {
  return query.client.config.client === 'pg'
}
