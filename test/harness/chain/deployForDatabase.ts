import type { LocalChain } from '../../../server/chain/localChain.ts'
import { readConfig } from '../../../server/config.ts'
import { openSqliteDatabase } from '../../../server/store/database/database.sqlite.ts'
import {
  type EmbeddedFiles,
  readDatabaseFiles,
  readMigratedFiles,
  writeDatabaseFiles,
} from '../database/databaseFiles.ts'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'
import { composeTestChain } from './composeTestChain.ts'

/** Deploys the contracts to a chain, as `npm run deploy` does, and returns an embedded database that has their addresses. */
export async function deployForDatabase(chain: LocalChain): Promise<EmbeddedFiles> {
  const { path, remove } = createTemporaryFolder()
  const config = readConfig({ DATA_DIR: path })
  writeDatabaseFiles(config, await readMigratedFiles())
  const db = await openSqliteDatabase(config)
  await composeTestChain(db, { DATA_DIR: path }, { startLocalChain: async () => chain }).deploy()
  await db.close()
  const files = readDatabaseFiles(config)
  remove()
  return files
}
