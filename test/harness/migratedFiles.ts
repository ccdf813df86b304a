import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../server/store/database.sqlite.ts'
import { temporaryFolder } from './temporaryFolder.ts'

type Files = { databaseFile: string; feedFile: string }

let migrated: Promise<{ database: Buffer; feed: Buffer }> | undefined

/** Puts an embedded database with this version's tables into place: a copy of one that was migrated in this process. */
export async function placeMigratedFiles({ databaseFile, feedFile }: Files): Promise<void> {
  migrated ??= migrateOnce()
  const { database, feed } = await migrated
  writeFileSync(databaseFile, database)
  writeFileSync(feedFile, feed)
}

async function migrateOnce() {
  const { path, remove } = temporaryFolder()
  const files = { databaseFile: join(path, 'svc.sqlite'), feedFile: join(path, 'feed.sqlite') }
  // Closing the last connection of a file takes its log into it.
  await (await openSqliteDatabase(files)).close()
  const copies = { database: readFileSync(files.databaseFile), feed: readFileSync(files.feedFile) }
  remove()
  return copies
}
