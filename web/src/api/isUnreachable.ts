import { ApiFailure } from './apiFailure.ts'

/** The gateway statuses that a proxy responds with while the service restarts. */
const UNREACHABLE: ReadonlySet<number> = new Set([0, 502, 503, 504])

/** Whether a request failed because the service did not respond, which passes by itself. */
export function isUnreachable(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && UNREACHABLE.has(error.status)
}

const RECOVERY_MS = 3_000

/** How often to read something again, so that it recovers once the service responds; `usual` otherwise. */
export function pollOrRecover(error: unknown, usual: number | false): number | false {
  return isUnreachable(error) ? Math.min(RECOVERY_MS, usual || RECOVERY_MS) : usual
}
