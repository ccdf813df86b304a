import { join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'

/**
 * Takes the data folder for this process alone; the answer gives it back.
 *
 * The recorder counts sequence numbers in memory, and a start beside another local chain replays the whole log onto
 * that one: a second process would take both away from the first. It is a lock of the operating system, which a
 * killed process loses with its life, where a file with a process id in it would stay.
 *
 * @throws Error with a sentence for the operator when another process has the folder.
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = new Database(join(dataDir, 'lock.sqlite'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (!(cause instanceof SqliteError) || !cause.code.startsWith('SQLITE_BUSY')) throw cause
    const message = `Another process uses ${dataDir}: stop it, or set DATA_DIR to another folder`
    throw new Error(message, { cause })
  }
  return () => {
    lock.close()
  }
}
