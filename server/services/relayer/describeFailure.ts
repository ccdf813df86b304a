import { ApiError } from '../../errors.ts'

const DATABASE_FAILS = 'the database does not serve the relayer; the log has the cause'
/** SQLSTATEs, and the codes of SQLite. */
const DATABASE_CODES = /^(\d[0-9A-Z]|P0|XX)[0-9A-Z]{3}$|^SQLITE_/

/**
 * Describes a failure for the health, which everybody may read.
 *
 * Of a failure of the database, it says only that: its message begins with the statement.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof ApiError)
    return error.code === 'SERVICE_UNAVAILABLE' ? DATABASE_FAILS : (error.detail ?? error.message)
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && DATABASE_CODES.test(String(error.code)) ? DATABASE_FAILS : error.message
}
