import type { FeatureSet } from '../../config/featureSets.ts'
import { openPostgresDatabase } from './database.postgres.ts'
import { openSqliteDatabase } from './database.sqlite.ts'
import type { Db } from './database.ts'
import { chooseFeatures } from './databaseFeatures.ts'

/**
 * Opens the configured database, and creates and migrates it if necessary: PostgreSQL if there is a URL, otherwise the
 * files.
 *
 * @throws Error if it is unreachable, rejects its settings, or a migration fails.
 */
export function openDatabase(config: {
  databaseUrl?: string | undefined
  databaseFeatures?: FeatureSet | undefined
  databaseFile: string
  feedFile: string
}): Promise<Db> {
  return config.databaseUrl === undefined
    ? openSqliteDatabase(config)
    : openPostgresDatabase(config.databaseUrl, { features: chooseFeatures(config.databaseFeatures) })
}
