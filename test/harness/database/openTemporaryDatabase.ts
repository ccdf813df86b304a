import type { FeatureSet } from '../../../server/config/featureSets.ts'
import { openPostgresDatabase } from '../../../server/store/database/database.postgres.ts'
import { openSqliteDatabase } from '../../../server/store/database/database.sqlite.ts'
import type { Db } from '../../../server/store/database/database.ts'
import { chooseFeatures, type DatabaseFeatures } from '../../../server/store/database/databaseFeatures.ts'
import { createPostgresRecorder } from '../../../server/store/recorder/recorder.postgres.ts'
import { createSqliteRecorder } from '../../../server/store/recorder/recorder.sqlite.ts'
import type { Recorder } from '../../../server/store/recorder/recorder.ts'
import { createDatabase, type DatabaseLocation } from './createDatabase.ts'
import type { TestedDatabase } from './testedDatabase.ts'

export type TemporaryDatabase = {
  db: Db
  files: DatabaseLocation
  /** A recorder over it; the test closes it. The clock counts monotonic milliseconds. */
  openRecorder(clock?: () => number): Recorder
  remove(): Promise<void>
}

/** Opens a migrated database that `remove` deletes, of the given kind or else of the kind that this run tests. */
export async function openTemporaryDatabase(
  kind?: TestedDatabase,
  featureSet?: FeatureSet,
): Promise<TemporaryDatabase> {
  const { files, remove } = await createDatabase(kind)
  const { db, openRecorder } = await openFiles(files, chooseFeatures(featureSet))
  return {
    db,
    files,
    openRecorder,
    async remove() {
      await db.close()
      await remove()
    },
  }
}

async function openFiles(
  files: DatabaseLocation,
  features: DatabaseFeatures,
): Promise<Pick<TemporaryDatabase, 'db' | 'openRecorder'>> {
  const { databaseUrl: url } = files
  if (url !== undefined) {
    return {
      db: await openPostgresDatabase(url, { features }),
      openRecorder: (clock) => createPostgresRecorder(url, { features, ...(clock ? { clock } : {}) }),
    }
  }
  const db = await openSqliteDatabase(files)
  return { db, openRecorder: () => createSqliteRecorder(files.databaseFile, db.writeLock) }
}
