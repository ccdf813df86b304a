import type { Knex } from 'knex'

const nothing = (): void => undefined

/**
 * What every use of knex has in common: it says nothing on the console, where it would write what it also throws, and
 * what it throws names the statement with placeholders. By itself it would fill in the values, and messages of failures
 * come into the log and into answers, where secrets and persons' data have no place.
 */
export const KNEX_SETTINGS = {
  compileSqlOnError: false,
  log: { warn: nothing, error: nothing, debug: nothing, deprecate: nothing },
}

/** Whether statements go to PostgreSQL, for the few that differ. */
export function isPostgres(query: Knex): boolean {
  return query.client.config.client === 'pg'
}
