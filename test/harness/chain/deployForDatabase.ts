import { randomBytes } from 'node:crypto'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { composeChain } from '../../../server/compose/composeChain.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/external/logger.ts'
import { openSqliteDatabase } from '../../../server/store/database/database.sqlite.ts'
import {
  type EmbeddedFiles,
  readDatabaseFiles,
  readMigratedFiles,
  writeDatabaseFiles,
} from '../database/databaseFiles.ts'
import { createTemporaryFolder } from '../runner/createTemporaryFolder.ts'

/** Deploys the contracts to a chain, as `npm run deploy` does, and returns an embedded database that has their addresses. */
export async function deployForDatabase(chain: LocalChain): Promise<EmbeddedFiles> {
  const { path, remove } = createTemporaryFolder()
  const config = readConfig({ DATA_DIR: path })
  writeDatabaseFiles(config, await readMigratedFiles())
  const db = await openSqliteDatabase(config)
  await composeChain({
    db,
    config,
    clock: Date.now,
    log: createLogger({ level: 'silent' }),
    randomBytes,
    startLocalChain: async () => chain,
    onIdentityConfirmed: async () => undefined,
    onTokenChanged: async () => undefined,
  }).deploy()
  await db.close()
  const files = readDatabaseFiles(config)
  remove()
  return files
}
