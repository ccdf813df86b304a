import type { Knex } from 'knex'
import { createMigrationSource, type NumberedMigration } from './numberedMigration.ts'

/**
 * Brings a schema to this version.
 *
 * @param place The file or schema, for the operator.
 * @throws Error that names the migrations of a newer release, which this one cannot undo, or if a migration fails.
 */
export async function runMigrations(
  connection: Knex,
  list: readonly NumberedMigration[],
  { place, schemaName }: { place: string; schemaName?: string },
): Promise<void> {
  const config = { migrationSource: createMigrationSource(list), ...(schemaName ? { schemaName } : {}) }
  const [completed] = await connection.migrate.list({ ...config, disableMigrationsListValidation: true })
  const known = new Set(list.map(({ name }) => name))
  const unknown = (completed as { name: string }[]).map(({ name }) => name).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(
      `${place} was migrated by a newer release (${unknown.join(', ')}): start that release, or restore a backup from before it`,
    )
  }
  await connection.migrate.latest(config)
}
