import { join } from 'node:path'
import { openPostgresDatabase } from '../../server/store/database.postgres.ts'
import { openSqliteDatabase } from '../../server/store/database.sqlite.ts'
import type { Db } from '../../server/store/database.ts'
import { createPostgresRecorder } from '../../server/store/recorder.postgres.ts'
import { createSqliteRecorder } from '../../server/store/recorder.sqlite.ts'
import type { Recorder } from '../../server/store/recorder.ts'
import { createPostgresDatabase } from './postgres.ts'
import { temporaryFolder } from './temporaryFolder.ts'
import { type TestedDatabase, testedDatabase } from './testedDatabase.ts'

export type TemporaryDatabase = {
  db: Db
  /** Where it is, as `openDatabase` takes it. */
  files: { databaseFile: string; feedFile: string; databaseUrl: string | undefined }
  /** A recorder over it; the test closes it. */
  openRecorder(): Recorder
  remove(): Promise<void>
}

/** A migrated database of its own that goes away with it; of the kind that this run is for, unless told. */
export async function temporaryDatabase(kind: TestedDatabase = testedDatabase): Promise<TemporaryDatabase> {
  const folder = temporaryFolder()
  const databaseFile = join(folder.path, 'svc.sqlite')
  const feedFile = join(folder.path, 'feed.sqlite')
  if (kind === 'postgres') {
    const { url, drop } = await createPostgresDatabase()
    const db = await openPostgresDatabase(url)
    return {
      db,
      files: { databaseFile, feedFile, databaseUrl: url },
      openRecorder: () => createPostgresRecorder(url),
      async remove() {
        await db.close()
        await drop()
        folder.remove()
      },
    }
  }
  const files = { databaseFile, feedFile, databaseUrl: undefined }
  const db = await openSqliteDatabase(files)
  return {
    db,
    files,
    openRecorder: () => createSqliteRecorder(databaseFile, db.writeLock),
    async remove() {
      await db.close()
      folder.remove()
    },
  }
}
