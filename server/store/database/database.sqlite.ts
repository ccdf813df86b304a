import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type Sqlite from 'better-sqlite3'
import knex, { type Knex } from 'knex'
import { withRecordsAtCommit } from '../audit/recordsAtCommit.ts'
import { feedMigrations } from '../feed/migrations/index.ts'
import { cacheStatements } from './cacheStatements.sqlite.ts'
import { createPrivateFile } from './createPrivateFile.ts'
import type { Db } from './database.ts'
import { translateFailure, translateFailuresOf } from './databaseFailure.ts'
import { KNEX_SETTINGS } from './knexSettings.ts'
import { waitForLock } from './locks/waitForLock.sqlite.ts'
import { createWriteLock, type WriteLock } from './locks/writeLock.ts'
import { migrations } from './migrations/index.ts'
import type { NumberedMigration } from './numberedMigration.ts'
import { configureSqlite } from './openSqlite.ts'
import { runMigrations } from './runMigrations.ts'

/** How long a migration waits for a writer in another process, which blocks this one. */
const BUSY_MS = 1_000

/** The embedded database with the lock that serialises its writers. */
export type SqliteDb = Db & { writeLock: WriteLock }

/**
 * Opens the embedded database, and creates and migrates it if necessary: the main file and, attached as `feed`, the
 * file with all derived data that can be rebuilt (activity indexes, tree nodes).
 *
 * There are two files because a second writer to the main file would make the recorder wait. On PostgreSQL `feed` is a
 * schema, so that `feed.<table>` works in the same queries.
 *
 * @param warn Called with a sentence for the operator if a newer release migrated it and allows this one.
 * @throws Error if a newer release migrated it and does not, or a migration fails; a half-applied migration is rolled back.
 */
export async function openSqliteDatabase(
  files: { databaseFile: string; feedFile: string },
  warn: (sentence: string) => void = () => undefined,
): Promise<SqliteDb> {
  mkdirSync(dirname(files.databaseFile), { recursive: true, mode: 0o700 })
  for (const [file, list] of [
    [files.databaseFile, migrations],
    [files.feedFile, feedMigrations],
  ] as const) {
    const warning = await migrateFile(file, list)
    if (warning !== null) warn(warning)
  }
  const writeLock = createWriteLock()
  const query = translateFailuresOf(
    connect(files.databaseFile, (connection) => {
      connection.prepare('ATTACH DATABASE ? AS feed').run(files.feedFile)
      cacheStatements(connection)
      waitForLock(connection, writeLock)
    }),
  )
  return {
    query,
    writeLock,
    transaction: (work) => writeLock.run(() => translateFailure(transact(query, withRecordsAtCommit(work)))),
    close: () => query.destroy(),
  }
}

/** SQLite rolls back on its own if the disk is full, and knex's own rollback then fails: the first error is reported. */
async function transact<Result>(
  query: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  let failed: { cause: unknown } | undefined
  const observed = async (trx: Knex.Transaction) => {
    try {
      return await work(trx)
    } catch (cause) {
      failed = { cause }
      throw cause
    }
  }
  try {
    return await query.transaction(observed)
  } catch (error) {
    throw failed ? failed.cause : error
  }
}

async function migrateFile(file: string, list: readonly NumberedMigration[]): Promise<string | null> {
  createPrivateFile(file)
  const connection = connect(file, () => undefined)
  try {
    return (await runMigrations(connection, list, { place: file })).warning
  } finally {
    await connection.destroy()
  }
}

function connect(file: string, prepare: (connection: Sqlite.Database) => void): Knex {
  return knex({
    ...KNEX_SETTINGS,
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(
        connection: Sqlite.Database,
        done: (error: Error | null, connection: Sqlite.Database) => void,
      ) {
        configureSqlite(connection)
        connection.pragma(`busy_timeout = ${BUSY_MS}`)
        prepare(connection)
        done(null, connection)
      },
    },
  })
}
