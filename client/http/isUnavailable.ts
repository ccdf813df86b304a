import { SvcApiError } from './svcApiError.ts'

/** The service is away or overloaded; every answer of its own, and every mistake of ours, is something else. */
export function isUnavailable(error: unknown): error is SvcApiError {
  return error instanceof SvcApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}
