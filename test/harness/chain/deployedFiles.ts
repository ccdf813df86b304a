import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { composeChain } from '../../../server/compose/composeChain.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/external/logger.ts'
import { openSqliteDatabase } from '../../../server/store/database/database.sqlite.ts'
import { type EmbeddedFiles, migratedFiles, placeFiles, takeFiles } from '../database/migratedFiles.ts'
import { temporaryFolder } from '../runner/temporaryFolder.ts'

/** Deploys the contracts to a chain and answers an embedded database that remembers them, as `npm run deploy` does. */
export async function deployedFiles(chain: LocalChain): Promise<EmbeddedFiles> {
  const { path, remove } = temporaryFolder()
  const config = readConfig({ DATA_DIR: path, REGISTRATION_FILES_DIR: join(path, 'registration-files') })
  placeFiles(config, await migratedFiles())
  const db = await openSqliteDatabase(config)
  await composeChain({
    db,
    config,
    clock: Date.now,
    log: createLogger('silent'),
    randomBytes,
    startLocalChain: async () => chain,
    onIdentityConfirmed: async () => undefined,
    onTokenChanged: async () => undefined,
  }).deploy()
  await db.close()
  const files = takeFiles(config)
  remove()
  return files
}
