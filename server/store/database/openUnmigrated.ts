import knex, { type Knex } from 'knex'
import { openPostgresPool } from './connections/openPostgresPool.ts'
import { KNEX_SETTINGS } from './knexSettings.ts'
import { configureSqlite } from './openSqlite.ts'

/** Long enough to dump a large database from one snapshot. */
const STATEMENT_MS = 24 * 3_600_000

/**
 * Opens a database on one connection without migrating it, whatever its version.
 *
 * For tools that inspect a database while or before the server runs, and must not change its version.
 *
 * @param where A PostgreSQL database or an existing SQLite file.
 */
export function openUnmigrated(where: { databaseUrl: string } | { databaseFile: string }): Knex {
  if ('databaseUrl' in where) {
    const options = { name: 'backup', statementMs: STATEMENT_MS }
    return openPostgresPool(where.databaseUrl, options, { searchPath: ['public'], pool: { min: 0, max: 1 } })
  }
  return knex({
    ...KNEX_SETTINGS,
    client: 'better-sqlite3',
    connection: { filename: where.databaseFile },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(
        connection: Parameters<typeof configureSqlite>[0],
        done: (error: null, of: unknown) => void,
      ) {
        configureSqlite(connection)
        done(null, connection)
      },
    },
  })
}
