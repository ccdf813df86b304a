import type { Knex } from 'knex'
import type { AddedIndex } from './createIndexes.ts'
import { isPostgres } from './knexSettings.ts'
import { limitLockWaits } from './retryLocks.ts'

/** One step in the history of a schema, which knex runs once; `runMigrations` decides in which transaction. */
export type NumberedMigration = {
  name: string
  /**
   * The newest migration that a release must know to run beside this one. Given only for a migration that expands the
   * tables: every statement of such a release does the same as before. Without it, older releases do not start. `postgres`
   * if that is so on PostgreSQL only.
   */
  oldestBeside?: string | { postgres: string }
  /**
   * What it adds by `createIndexes` to tables that already exist. On PostgreSQL these are built before the migration runs,
   * if the former release may run meanwhile, because it could not write during a transaction that builds them.
   */
  indexes?: readonly AddedIndex[]
  up(schema: Knex): Promise<void>
  down(schema: Knex): Promise<void>
}

/** What migrations of any release allow, also those that this release does not know. */
const TABLE = 'migration_compatibility'

/**
 * Passes a list of migrations to knex in order, and records in the database what each allows older releases.
 *
 * @param isInUse Whether requests use the tables meanwhile.
 */
export function createMigrationSource(
  list: readonly NumberedMigration[],
  isInUse = false,
): Knex.MigrationSource<NumberedMigration> {
  return {
    getMigrations: async () => [...list],
    getMigrationName: (migration) => migration.name,
    getMigration: async ({ name, oldestBeside, up, down }) => ({
      async up(schema: Knex) {
        if (isInUse) await limitLockWaits(schema)
        await up(schema)
        const oldest = oldestOn(schema, oldestBeside)
        if (oldest === undefined) return
        if (!(await schema.schema.hasTable(TABLE))) await createTable(schema)
        await schema(TABLE).insert({ name, oldest_beside: oldest })
      },
      async down(schema: Knex) {
        await down(schema)
        if (oldestOn(schema, oldestBeside) !== undefined) await schema(TABLE).where({ name }).delete()
      },
    }),
  }
}

function oldestOn(schema: Knex, oldestBeside: NumberedMigration['oldestBeside']): string | undefined {
  if (typeof oldestBeside !== 'object') return oldestBeside
  return isPostgres(schema) ? oldestBeside.postgres : undefined
}

const createTable = (schema: Knex) =>
  schema.schema.createTable(TABLE, (t) => {
    t.text('name').primary()
    t.text('oldest_beside').notNullable()
  })

/**
 * Keeps releases that do not know a migration from starting, because what it added is in use from now on, and they would
 * write as if it was not.
 */
export async function refuseReleasesBefore(trx: Knex, name: string): Promise<void> {
  await trx(TABLE).where({ name }).update({ oldest_beside: name })
}

/** Returns those of the migrations beside which no release may run that knows only the given ones. */
export async function findIncompatible(
  connection: Knex,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  if (names.length === 0 || !(await connection.schema.hasTable(TABLE))) return [...names]
  const rows = await connection(TABLE).select('name', 'oldest_beside').whereIn('name', names)
  const allowed = new Set(rows.filter((row) => known.has(row.oldest_beside)).map((row) => row.name))
  return names.filter((name) => !allowed.has(name))
}
