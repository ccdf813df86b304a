import { existsSync } from 'node:fs'
import type { Config } from '../server/config.ts'
import { openUnmigrated } from '../server/store/database/openUnmigrated.ts'

/**
 * Checks that the settings point to the database of a service, because opening a missing one would create it.
 *
 * @throws Error with a message for the operator.
 */
export async function requireServiceDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseFile' | 'dataDir'>,
): Promise<void> {
  const { databaseUrl, databaseFile, dataDir } = config
  if (databaseUrl === undefined && !existsSync(databaseFile)) {
    throw new Error(`There is no database in ${dataDir}: set DATA_DIR to the folder of the service.`)
  }
  const query = openUnmigrated(databaseUrl === undefined ? { databaseFile } : { databaseUrl })
  try {
    if (await query.schema.hasTable('audit_records')) return
    throw new Error('The database contains no audit log: this service has never used it.')
  } finally {
    await query.destroy()
  }
}
