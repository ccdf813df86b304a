import type { Knex } from 'knex'
import { feedMigrations } from '../feed/migrations/index.ts'
import { BUILD_MS, buildIndexes } from './buildIndexes.postgres.ts'
import { openPostgresPool } from './connections/openPostgresPool.ts'
import type { AddedIndex } from './createIndexes.ts'
import { chooseFeatures, type DatabaseFeatures } from './databaseFeatures.ts'
import { lockOn } from './locks/lockOn.ts'
import { migrations } from './migrations/index.ts'
import type { NumberedMigration } from './numberedMigration.ts'
import { limitLockWaits, retryLocks } from './retryLocks.ts'
import { runMigrations } from './runMigrations.ts'

/** A migration may rewrite a table, and other starting processes wait until it finishes. */
const MIGRATION_MS = 10 * 60_000

type Warn = (sentence: string) => void

/**
 * Migrates a PostgreSQL database to this version: the schema `public` corresponds to `svc.sqlite`, `feed` to
 * `feed.sqlite`.
 *
 * If several processes start at once, the first one migrates under a lock and the others find it done. The lock is not held
 * while indexes are built beside the former release.
 *
 * @param warn Called with a sentence for the operator if a newer release migrated a schema and allows this one.
 * @throws Error if the database is unreachable, not durable or migrated by a newer release, or if a migration fails.
 */
export async function migratePostgres(
  url: string,
  warn: Warn = () => undefined,
  { locks, preparation }: Pick<DatabaseFeatures, 'locks' | 'preparation'> = chooseFeatures(),
): Promise<void> {
  const guard = connect(url, 'public')
  try {
    await requireDurability(guard)
    await prepareLocks(guard, preparation)
    const migrateNext = () =>
      guard.transaction(async (trx) => {
        await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0')
        await lockOn(trx, locks.exclusive('migrations'))
        return (
          (await migrateSchema(url, 'public', migrations, warn)) ??
          (await migrateSchema(url, 'feed', feedMigrations, warn))
        )
      })
    for (let missing = await migrateNext(); missing !== null; missing = await migrateNext()) {
      await buildMissing(url, missing)
    }
  } finally {
    await guard.destroy()
  }
}

/** PostgreSQL may refuse a table that another process creates at the same moment, also with `IF NOT EXISTS`. */
async function prepareLocks(guard: Knex, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await guard.raw(statement).catch(() => guard.raw(statement))
  }
}

/** A decision that was returned must survive a power failure. */
async function requireDurability(query: Knex): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await query.raw('SELECT current_setting(?) AS value', [setting])
    if (rows[0].value === 'off') {
      throw new Error(`PostgreSQL runs with ${setting}=off and may lose what it has answered: turn it on`)
    }
  }
}

type MissingIndexes = { schema: string; indexes: readonly AddedIndex[] }

/** Migrates a schema as far as its indexes are built. Returns those that are needed next; null if it is migrated. */
async function migrateSchema(
  url: string,
  schema: string,
  list: readonly NumberedMigration[],
  warn: Warn,
): Promise<MissingIndexes | null> {
  const connection = connect(url, schema)
  try {
    await connection.raw('CREATE SCHEMA IF NOT EXISTS ??', [schema])
    const place = `Schema ${schema} of the database at DATABASE_URL`
    const { warning, unbuilt } = await runMigrations(connection, list, { place, schemaName: schema })
    if (unbuilt.length > 0) return { schema, indexes: unbuilt }
    if (warning !== null) warn(warning)
    await widenTexts(connection, schema)
    return null
  } finally {
    await connection.destroy()
  }
}

/**
 * Removes the limit of 255 characters, which knex gives a `string` and SQLite ignores, from every column: limits on
 * fields are checked where they are parsed. This rewrites no rows.
 */
async function widenTexts(connection: Knex, schema: string): Promise<void> {
  const { rows } = await connection.raw(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = ? AND data_type = 'character varying' AND table_name NOT LIKE 'knex%'`,
    [schema],
  )
  for (const { table_name, column_name } of rows) {
    await retryLocks(() =>
      connection.transaction(async (trx) => {
        await limitLockWaits(trx)
        await trx.raw('ALTER TABLE ??.?? ALTER COLUMN ?? TYPE text', [schema, table_name, column_name])
      }),
    )
  }
}

async function buildMissing(url: string, { schema, indexes }: MissingIndexes): Promise<void> {
  const connection = connect(url, schema, BUILD_MS)
  try {
    await buildIndexes(connection, indexes)
  } finally {
    await connection.destroy()
  }
}

function connect(url: string, schema: string, limitMs = MIGRATION_MS): Knex {
  const options = { name: 'migrations', lockMs: limitMs, statementMs: limitMs }
  return openPostgresPool(url, options, { searchPath: [schema], pool: { min: 0, max: 1 } })
}
