import type { Knex } from 'knex'

/** One step of a schema's history; knex runs each once, in its own transaction. */
export type NumberedMigration = {
  name: string
  up(schema: Knex): Promise<void>
  down(schema: Knex): Promise<void>
}

/** Gives knex a list of migrations, in its order. */
export function migrationSource(list: readonly NumberedMigration[]): Knex.MigrationSource<NumberedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => migration,
  }
}
