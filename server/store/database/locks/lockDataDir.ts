import { join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { createPrivateFile } from '../createPrivateFile.ts'

/**
 * Locks the data folder for this process; the returned function releases it.
 *
 * Only one process may use it: the recorder counts sequence numbers in memory, and a start with another local chain
 * replays the whole log to that chain. This is a lock of the operating system, which ends when its process is killed,
 * whereas a file with a process id would remain.
 *
 * @throws Error with a message for the operator if another process has locked the folder.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'lock.sqlite')
  createPrivateFile(file)
  const lock = new Database(file, { timeout: 0 })
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
