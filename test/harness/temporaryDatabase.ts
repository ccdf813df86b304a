import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../server/store/database.ts'

export type TemporaryDatabase = {
  db: Db
  files: { databaseFile: string; feedFile: string }
  remove(): Promise<void>
}

/** A migrated database of its own in a folder that goes away with it. */
export async function temporaryDatabase(): Promise<TemporaryDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const files = { databaseFile: join(folder, 'svc.sqlite'), feedFile: join(folder, 'feed.sqlite') }
  const db = await openDatabase(files)
  return {
    db,
    files,
    async remove() {
      await db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
