import knex, { type Knex } from 'knex'
import { feedMigrations } from '../feed/migrations/index.ts'
import { KNEX_SETTINGS } from './knexSettings.ts'
import { migrations } from './migrations/index.ts'
import type { NumberedMigration } from './numberedMigration.ts'
import { migrationSource } from './numberedMigration.ts'
import { POSTGRES_LOCKS, postgresConnection } from './postgresConnection.ts'

/** A migration may rewrite a table, and a process that starts beside it waits for the whole of it. */
const MIGRATION_MS = 10 * 60_000

/**
 * Brings the tables of a PostgreSQL database to this version: `public` has what `svc.sqlite` has, `feed` what
 * `feed.sqlite` has.
 *
 * Of several processes that start at once the first does it and the others find it done, by an advisory lock that ends
 * with its connection.
 *
 * @throws Error when the database cannot be reached, loses what it has committed, or a migration fails.
 */
export async function migratePostgres(url: string): Promise<void> {
  const guard = connect(url, 'public')
  try {
    await refuseForgetfulServer(guard)
    await guard.transaction(async (trx) => {
      await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0')
      await trx.raw(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCKS.migrations})`)
      await migrateSchema(url, 'public', migrations)
      await migrateSchema(url, 'feed', feedMigrations)
    })
  } finally {
    await guard.destroy()
  }
}

/** An answered decision survives a power cut, or is not given. Source: performance.md. */
async function refuseForgetfulServer(query: Knex): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await query.raw('SELECT current_setting(?) AS value', [setting])
    if (rows[0].value === 'off') {
      throw new Error(`PostgreSQL runs with ${setting}=off and may lose what it has answered: turn it on`)
    }
  }
}

async function migrateSchema(url: string, schema: string, list: readonly NumberedMigration[]): Promise<void> {
  const connection = connect(url, schema)
  try {
    await connection.raw('CREATE SCHEMA IF NOT EXISTS ??', [schema])
    await connection.migrate.latest({ migrationSource: migrationSource(list), schemaName: schema })
    await widenTexts(connection, schema)
  } finally {
    await connection.destroy()
  }
}

/**
 * Takes the limit of 255 characters, which knex gives a `string` and SQLite does not know, off every column: what is
 * allowed in a field is said once, where it is parsed. No row is rewritten by it.
 */
async function widenTexts(connection: Knex, schema: string): Promise<void> {
  const { rows } = await connection.raw(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = ? AND data_type = 'character varying' AND table_name NOT LIKE 'knex%'`,
    [schema],
  )
  for (const { table_name, column_name } of rows) {
    await connection.raw('ALTER TABLE ??.?? ALTER COLUMN ?? TYPE text', [schema, table_name, column_name])
  }
}

function connect(url: string, schema: string): Knex {
  return knex({
    ...KNEX_SETTINGS,
    client: 'pg',
    connection: postgresConnection(url, {
      name: 'migrations',
      lockMs: MIGRATION_MS,
      statementMs: MIGRATION_MS,
    }),
    searchPath: [schema],
    pool: { min: 0, max: 1 },
  })
}
