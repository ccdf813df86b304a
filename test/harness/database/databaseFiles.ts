import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../server/store/database/database.sqlite.ts'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'

/** Paths of the files of an embedded database. */
type FilePaths = { databaseFile: string; feedFile: string }

/** Contents of the files of an embedded database. */
export type EmbeddedFiles = { database: Buffer; feed: Buffer }

let migrated: Promise<EmbeddedFiles> | undefined

/** Returns an embedded database with this version's tables, migrated once per process. */
export function readMigratedFiles(): Promise<EmbeddedFiles> {
  migrated ??= migrateOnce()
  return migrated
}

/** Writes the files of an embedded database. */
export function writeDatabaseFiles(
  { databaseFile, feedFile }: FilePaths,
  { database, feed }: EmbeddedFiles,
): void {
  writeFileSync(databaseFile, database)
  writeFileSync(feedFile, feed)
}

/**
 * Reads the files of an embedded database that is closed: closing the last connection has checkpointed its write-ahead
 * log.
 */
export function readDatabaseFiles({ databaseFile, feedFile }: FilePaths): EmbeddedFiles {
  return { database: readFileSync(databaseFile), feed: readFileSync(feedFile) }
}

async function migrateOnce(): Promise<EmbeddedFiles> {
  const { path, remove } = createTemporaryFolder()
  const paths = { databaseFile: join(path, 'svc.sqlite'), feedFile: join(path, 'feed.sqlite') }
  await (await openSqliteDatabase(paths)).close()
  const files = readDatabaseFiles(paths)
  remove()
  return files
}
