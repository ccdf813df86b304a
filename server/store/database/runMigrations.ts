import type { Knex } from 'knex'
import { type AddedIndex, readIndexState } from './createIndexes.ts'
import { isPostgres } from './knexSettings.ts'
import { createMigrationSource, findIncompatible, type NumberedMigration } from './numberedMigration.ts'
import { retryLocks } from './retryLocks.ts'

export type Migrated = {
  /** A sentence for the operator if a newer release migrated the schema; otherwise null. */
  warning: string | null
  /** Indexes that have to be built before the next migration can run; if there are none, all have run. */
  unbuilt: readonly AddedIndex[]
}

/**
 * Brings a schema to this version. A newer one is left as it is if its migrations allow this release to run beside them.
 *
 * Migrations beside which the former release may run are committed one by one: together, they would hold the locks of all
 * their tables, in an order that differs from that of requests. Any of them may be the last one if the next one fails. On
 * PostgreSQL, the caller builds their indexes, in no transaction, and calls again. Otherwise all are committed in one
 * transaction, so that the former release can be started again if one fails.
 *
 * @param place The file or schema, for the operator.
 * @throws Error that names the migrations of a newer release, which this one cannot undo, or if a migration fails.
 */
export async function runMigrations(
  connection: Knex,
  list: readonly NumberedMigration[],
  { place, schemaName }: { place: string; schemaName?: string },
): Promise<Migrated> {
  const config = { migrationSource: createMigrationSource(list), ...(schemaName ? { schemaName } : {}) }
  const [completed]: { name: string }[][] = await connection.migrate.list({
    ...config,
    disableMigrationsListValidation: true,
  })
  const known = new Set(list.map(({ name }) => name))
  const done = new Set(completed?.map(({ name }) => name))
  const unknown = [...done].filter((name) => !known.has(name))
  const incompatible = await findIncompatible(connection, unknown, known)
  if (incompatible.length > 0) {
    throw new Error(
      `${place} was migrated by a newer release (${incompatible.join(', ')}): start that release, or restore a backup from before it`,
    )
  }
  const isNewer = unknown.length > 0
  const warning = isNewer
    ? `${place} was migrated by a newer release (${unknown.join(', ')}), beside which this one may run: complete the upgrade or the way back`
    : null
  const pending = list.filter(({ name }) => !done.has(name))
  const validation = { ...config, disableMigrationsListValidation: isNewer }
  if (done.size === 0 || pending.some(({ oldestBeside }) => oldestBeside === undefined)) {
    await connection.migrate.latest(validation)
    return { warning, unbuilt: [] }
  }
  const migrationSource = createMigrationSource(list, true)
  for (const { indexes = [] } of pending) {
    const unbuilt = await findUnbuilt(connection, indexes)
    if (unbuilt.length > 0) return { warning, unbuilt }
    await retryLocks(() => connection.migrate.up({ ...validation, migrationSource }))
  }
  return { warning, unbuilt: [] }
}

async function findUnbuilt(connection: Knex, indexes: readonly AddedIndex[]): Promise<AddedIndex[]> {
  if (!isPostgres(connection)) return []
  const unbuilt: AddedIndex[] = []
  for (const index of indexes)
    if ((await readIndexState(connection, index.name)) !== 'valid') unbuilt.push(index)
  return unbuilt
}
