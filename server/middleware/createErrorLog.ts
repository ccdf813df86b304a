import { createSummary } from './createSummary.ts'
import { nameCause } from './nameCause.ts'
import type { ErrorLog, RefusalFields } from './writeError.ts'

type Refusal = { fields: RefusalFields; message: string }

/**
 * Creates the log of failed requests. During an outage each request fails for the same reason, and a full entry for each
 * would fill a disk, perhaps the full one that is the reason: 503s are summarised by cause.
 */
export function createErrorLog(log: Pick<ErrorLog, 'error' | 'debug'>): ErrorLog {
  const refused = createSummary<Refusal>({
    first: ({ fields, message }) => log.error(fields, message),
    more: (count, { fields: { code, detail, requestId }, message }) =>
      log.error({ code, detail, count, lastRequestId: requestId }, message),
  })
  return {
    error: (fields, message) => log.error(fields, message),
    debug: (fields, message) => log.debug(fields, message),
    unavailable: (fields, message) => refused(nameCause(fields, message), { fields, message }),
  }
}
