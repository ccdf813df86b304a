import type { Knex } from 'knex'
import { codeOf } from './codeOf.ts'
import { createMigrationSource, findIncompatible, type NumberedMigration } from './numberedMigration.ts'

/** How often a migration is tried that PostgreSQL cancels, because a request waits for it and it for the request. */
const ATTEMPTS_MAX = 10

const DEADLOCK = '40P01'

/**
 * Brings a schema to this version. A newer one is left as it is if its migrations allow this release to run beside them.
 *
 * Migrations beside which the former release may run are committed one by one: together, they would hold the locks of all
 * their tables, in an order that differs from that of requests. Any of them may be the last one if the next one fails.
 * Otherwise all are committed in one transaction, so that the former release can be started again if one fails.
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
  const pending = list.filter(({ name }) => !done.has(name))
  const validation = { ...config, disableMigrationsListValidation: isNewer }
  if (done.size > 0 && pending.every(({ oldestBeside }) => oldestBeside !== undefined))
    for (const _ of pending) await retryDeadlock(() => connection.migrate.up(validation))
  else await connection.migrate.latest(validation)
  return isNewer
    ? `${place} was migrated by a newer release (${unknown.join(', ')}), beside which this one may run: complete the upgrade or the way back`
    : null
}

async function retryDeadlock(migrate: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await migrate()
      return
    } catch (error) {
      if (codeOf(error) !== DEADLOCK || attempts >= ATTEMPTS_MAX) throw error
    }
  }
}
