import type { Config } from '../config.ts'
import { openPostgresDatabase } from '../store/database.postgres.ts'
import { openSqliteDatabase } from '../store/database.sqlite.ts'
import type { Db } from '../store/database.ts'
import { lockDataDir } from '../store/lockDataDir.ts'
import { createPostgresRecorder } from '../store/recorder.postgres.ts'
import { createSqliteRecorder } from '../store/recorder.sqlite.ts'
import type { Recorder } from '../store/recorder.ts'

export type ComposedDatabase = {
  db: Db
  recorder: Recorder
  /** Commits what waits, and closes. */
  close(): Promise<void>
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseFile' | 'feedFile' | 'dataDir'>

/** Opens the configured database, SQLite in the data folder of this process alone, or PostgreSQL with others. */
export async function composeDatabase(config: DatabaseConfig): Promise<ComposedDatabase> {
  return config.databaseUrl === undefined ? ownFiles(config) : sharedServer(config.databaseUrl)
}

async function ownFiles(config: DatabaseConfig): Promise<ComposedDatabase> {
  const unlock = lockDataDir(config.dataDir)
  const db = await openSqliteDatabase(config)
  return composed(db, createSqliteRecorder(config.databaseFile, db.writeLock), unlock)
}

async function sharedServer(url: string): Promise<ComposedDatabase> {
  return composed(await openPostgresDatabase(url), createPostgresRecorder(url), () => undefined)
}

function composed(db: Db, recorder: Recorder, release: () => void): ComposedDatabase {
  return {
    db,
    recorder,
    async close() {
      await recorder.close()
      await db.close()
      release()
    },
  }
}
