import knex, { type Knex } from 'knex'
import { KNEX_SETTINGS } from './knexSettings.ts'
import { configureSqlite } from './openSqlite.ts'
import { postgresConnection } from './postgresConnection.ts'

/** A dump of a large database holds its snapshot for as long as it takes. */
const STATEMENT_MS = 24 * 3_600_000

/**
 * Opens a database as it is, at whatever version its tables are, on one connection.
 *
 * For what looks at a database beside the server or before it: neither may bring the tables to another version.
 *
 * @param where A PostgreSQL, or a file of SQLite that exists.
 */
export function openUnmigrated(where: { databaseUrl: string } | { databaseFile: string }): Knex {
  if ('databaseUrl' in where) {
    return knex({
      ...KNEX_SETTINGS,
      client: 'pg',
      connection: postgresConnection(where.databaseUrl, { name: 'backup', statementMs: STATEMENT_MS }),
      searchPath: ['public'],
      pool: { min: 0, max: 1 },
    })
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
