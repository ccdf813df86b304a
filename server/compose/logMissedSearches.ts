import { ApiError } from '../errors.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import { createSummary } from '../middleware/createSummary.ts'
import { nameCause } from '../middleware/nameCause.ts'

const MESSAGE = 'a search for the limit of an agent may go unnoticed'

/** Logs that an answer could not be judged. In an outage of the database that is each answer, so they are summarised. */
export function logMissedSearches(log: Pick<Logger, 'warn'>): (error: unknown) => void {
  const missed = createSummary<unknown>({
    first: (err) => log.warn({ err }, MESSAGE),
    more: (count) => log.warn({ count }, MESSAGE),
  })
  return (error) => {
    const fields =
      error instanceof ApiError
        ? { code: error.code, detail: error.detail, err: error.cause }
        : { err: error }
    missed(nameCause(fields, String(error)), error)
  }
}
