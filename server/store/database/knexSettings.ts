import type { Knex } from 'knex'

const ignore = (): void => undefined

/**
 * Settings shared by all uses of knex. It logs nothing to the console, since it throws the same errors, and errors
 * quote statements with placeholders. By default, knex would fill in the values, and error messages reach logs and
 * responses, where secrets and personal data must not appear.
 */
export const KNEX_SETTINGS = {
  compileSqlOnError: false,
  log: { warn: ignore, error: ignore, debug: ignore, deprecate: ignore },
}

/** Whether the database is PostgreSQL, for the few statements that differ. */
export function isPostgres(query: Knex): boolean {
  return query.client.config.client === 'pg'
}
