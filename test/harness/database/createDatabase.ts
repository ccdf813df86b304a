import { join } from 'node:path'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'
import { readMigratedFiles, writeDatabaseFiles } from './databaseFiles.ts'
import { createMigratedDatabase } from './postgres.ts'
import { type TestedDatabase, testedDatabase } from './testedDatabase.ts'

/** The location of a database, as `openDatabase` takes it. */
export type DatabaseLocation = { databaseFile: string; feedFile: string; databaseUrl: string | undefined }

/** Creates a database without opening it, of the given kind or else of the kind that this run tests. */
export async function createDatabase(
  kind: TestedDatabase = testedDatabase,
): Promise<{ folder: string; files: DatabaseLocation; remove(): Promise<void> }> {
  const folder = createTemporaryFolder()
  const server = kind === 'postgres' ? await createMigratedDatabase() : null
  const files = { databaseFile: join(folder.path, 'svc.sqlite'), feedFile: join(folder.path, 'feed.sqlite') }
  if (server === null) writeDatabaseFiles(files, await readMigratedFiles())
  return {
    folder: folder.path,
    files: { ...files, databaseUrl: server?.url },
    async remove() {
      await server?.drop()
      folder.remove()
    },
  }
}
