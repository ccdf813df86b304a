import type { Config } from '../config.ts'
import { explainServerFailure } from './explainServerFailure.ts'
import { failureCodeOf } from './failureCodeOf.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/**
 * Explains in one sentence why the service could not start, and what to do.
 *
 * Most errors of a start carry such a sentence already; those of the database drivers and of the file system are translated
 * here. The password of `DATABASE_URL` is never part of it.
 */
export function explainStartFailure(error: unknown, place: Place): string {
  const explained =
    place.databaseUrl === undefined || isBelow(place.dataDir, error)
      ? explainFile(place.dataDir, error)
      : explainServerFailure(error, place.databaseUrl)
  if (explained !== null) return explained
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  // Every foreseen failure is a plain Error; a TypeError, for example, is a fault of the service.
  const isForeseen = error instanceof Error && error.constructor === Error
  return isForeseen ? message : `${message} (LOG_FORMAT=json LOG_LEVEL=debug shows where)`
}

/** Whether an error of the file system is about a file in the folder. */
function isBelow(folder: string, error: unknown): boolean {
  return error instanceof Error && 'path' in error && String(error.path).startsWith(folder)
}

function explainFile(dataDir: string, error: unknown): string | null {
  const code = failureCodeOf(error)
  if (!code.startsWith('SQLITE_') && !isBelow(dataDir, error)) return null
  switch (/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return `Another program has locked the database in ${dataDir}: close that program, then start again`
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return `The database in ${dataDir} is damaged or not a database: restore a backup (npm run restore -- --help), or set DATA_DIR to another folder`
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'EISDIR':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The files in ${dataDir} cannot be read and written (${code}): correct their owner and permissions, or set DATA_DIR to another folder`
    case 'SQLITE_FULL':
    case 'ENOSPC':
      return `The disk of ${dataDir} is full: free some space, or set DATA_DIR to a folder on another disk`
    default:
      return null
  }
}
