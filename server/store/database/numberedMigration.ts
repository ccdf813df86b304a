import type { Knex } from 'knex'

/** One step in the history of a schema; knex runs each once, in its own transaction. */
export type NumberedMigration = {
  name: string
  up(schema: Knex): Promise<void>
  down(schema: Knex): Promise<void>
}

/** Passes a list of migrations to knex in order. */
export function createMigrationSource(
  list: readonly NumberedMigration[],
): Knex.MigrationSource<NumberedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => migration,
  }
}
