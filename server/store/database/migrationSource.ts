import type { Knex } from 'knex'
import type { NumberedMigration } from './numberedMigration.ts'

/** Gives knex a list of migrations, in its order. */
export function migrationSource(list: readonly NumberedMigration[]): Knex.MigrationSource<NumberedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => migration,
  }
}
