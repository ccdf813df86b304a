import { existsSync } from 'node:fs'
import type { Config } from '../server/config.ts'
import { openUnmigrated } from '../server/store/database/openUnmigrated.ts'

/**
 * Refuses settings that lead to no database of a service, before whatever opens it makes one there.
 *
 * @throws Error with a sentence for the operator.
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
    throw new Error('The database holds no audit log: it is none of this service, or one that never started.')
  } finally {
    await query.destroy()
  }
}
