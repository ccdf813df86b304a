import { join } from 'node:path'
import { temporaryFolder } from '../runner/temporaryFolder.ts'
import { migratedFiles, placeFiles } from './migratedFiles.ts'
import { createMigratedDatabase } from './postgres.ts'
import { type TestedDatabase, testedDatabase } from './testedDatabase.ts'

/** Where a database is, as `openDatabase` takes it. */
export type DatabasePlace = { databaseFile: string; feedFile: string; databaseUrl: string | undefined }

/** A place for a database of its own, not opened yet; of the kind that this run is for, unless told. */
export async function newDatabase(
  kind: TestedDatabase = testedDatabase,
): Promise<{ folder: string; files: DatabasePlace; remove(): Promise<void> }> {
  const folder = temporaryFolder()
  const server = kind === 'postgres' ? await createMigratedDatabase() : null
  const files = { databaseFile: join(folder.path, 'svc.sqlite'), feedFile: join(folder.path, 'feed.sqlite') }
  if (server === null) placeFiles(files, await migratedFiles())
  return {
    folder: folder.path,
    files: { ...files, databaseUrl: server?.url },
    async remove() {
      await server?.drop()
      folder.remove()
    },
  }
}
