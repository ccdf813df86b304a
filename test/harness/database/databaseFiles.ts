import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../server/store/database/database.sqlite.ts'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'

/** Where the files of an embedded database are. */
type Places = { databaseFile: string; feedFile: string }

/** What is in them. */
export type EmbeddedFiles = { database: Buffer; feed: Buffer }

let migrated: Promise<EmbeddedFiles> | undefined

/** An embedded database with this version's tables; migrated once in this process. */
export function readMigratedFiles(): Promise<EmbeddedFiles> {
  migrated ??= migrateOnce()
  return migrated
}

/** Puts the files of an embedded database into place. */
export function writeDatabaseFiles(
  { databaseFile, feedFile }: Places,
  { database, feed }: EmbeddedFiles,
): void {
  writeFileSync(databaseFile, database)
  writeFileSync(feedFile, feed)
}

/** Reads the files of an embedded database that nobody has open: closing its last connection took its log into it. */
export function readDatabaseFiles({ databaseFile, feedFile }: Places): EmbeddedFiles {
  return { database: readFileSync(databaseFile), feed: readFileSync(feedFile) }
}

async function migrateOnce(): Promise<EmbeddedFiles> {
  const { path, remove } = createTemporaryFolder()
  const places = { databaseFile: join(path, 'svc.sqlite'), feedFile: join(path, 'feed.sqlite') }
  await (await openSqliteDatabase(places)).close()
  const files = readDatabaseFiles(places)
  remove()
  return files
}
