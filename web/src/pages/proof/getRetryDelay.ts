import { ApiFailure } from '../../api/apiFailure.ts'

const WAIT_SECONDS_DEFAULT = 5

/** Milliseconds after which to ask again for the proof of a record that is not anchored yet; false for other failures. */
export function getRetryDelay(error: unknown): number | false {
  if (!(error instanceof ApiFailure) || error.code !== 'NOT_ANCHORED_YET') return false
  return (error.retryAfterSeconds ?? WAIT_SECONDS_DEFAULT) * 1000
}
