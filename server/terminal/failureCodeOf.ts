import { ApiError } from '../errors.ts'
import { codeOf } from '../store/database/codeOf.ts'

/** The code of the driver or of the system in a failure, also of the cause of a public error; empty without one. */
export function failureCodeOf(error: unknown): string {
  return codeOf(error instanceof ApiError ? error.cause : error)
}
