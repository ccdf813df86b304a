import type { Knex } from 'knex'
import { createMigrationSource, findIncompatible, type NumberedMigration } from './numberedMigration.ts'

/**
 * Brings a schema to this version. A newer one is left as it is if its migrations allow this release to run beside them.
 *
 * @param place The file or schema, for the operator.
 * @returns A sentence for the operator if a newer release migrated the schema; otherwise null.
 * @throws Error that names the migrations of a newer release, which this one cannot undo, or if a migration fails.
 */
export async function runMigrations(
  connection: Knex,
  list: readonly NumberedMigration[],
  { place, schemaName }: { place: string; schemaName?: string },
): Promise<string | null> {
  const config = { migrationSource: createMigrationSource(list), ...(schemaName ? { schemaName } : {}) }
  const [completed] = await connection.migrate.list({ ...config, disableMigrationsListValidation: true })
  const known = new Set(list.map(({ name }) => name))
  const unknown = (completed as { name: string }[]).map(({ name }) => name).filter((name) => !known.has(name))
  const incompatible = await findIncompatible(connection, unknown, known)
  if (incompatible.length > 0) {
    throw new Error(
      `${place} was migrated by a newer release (${incompatible.join(', ')}): start that release, or restore a backup from before it`,
    )
  }
  const isNewer = unknown.length > 0
  await connection.migrate.latest({ ...config, disableMigrationsListValidation: isNewer })
  return isNewer
    ? `${place} was migrated by a newer release (${unknown.join(', ')}), beside which this one may run: complete the upgrade or the way back`
    : null
}
