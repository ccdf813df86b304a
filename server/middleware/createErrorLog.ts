import type { ErrorLog, RefusalFields } from './writeError.ts'

/** Pause between two lines about the same cause. */
const PAUSE_MS = 5_000

/** Requests refused for one cause since its last line. */
type Outage = { count: number; requestId: string }

/**
 * Creates the log of failed requests. During an outage each request fails for the same reason, and a full entry for each
 * would fill a disk, perhaps the full one that is the reason: the first one of a cause is logged in full, and afterwards
 * their number every five seconds, until there are none.
 */
export function createErrorLog(log: Pick<ErrorLog, 'error' | 'debug'>): ErrorLog {
  const outages = new Map<string, Outage>()

  function summariseLater(cause: string, fields: RefusalFields, message: string): void {
    const timer = setTimeout(() => {
      const outage = outages.get(cause)
      if (outage === undefined || outage.count === 0) {
        outages.delete(cause)
        return
      }
      const { count, requestId } = outage
      outages.set(cause, { count: 0, requestId })
      log.error({ code: fields.code, detail: fields.detail, count, lastRequestId: requestId }, message)
      summariseLater(cause, fields, message)
    }, PAUSE_MS)
    timer.unref()
  }

  return {
    error: (fields, message) => log.error(fields, message),
    debug: (fields, message) => log.debug(fields, message),
    unavailable(fields, message) {
      const cause = causeOf(fields, message)
      const outage = outages.get(cause)
      if (outage !== undefined) {
        outages.set(cause, { count: outage.count + 1, requestId: fields.requestId })
        return
      }
      outages.set(cause, { count: 0, requestId: fields.requestId })
      log.error(fields, message)
      summariseLater(cause, fields, message)
    },
  }
}

/** The code of the failure, or else its text without the statement that knex puts before it and without numbers. */
function causeOf({ code, detail, err }: RefusalFields, message: string): string {
  const cause = (err as { code?: unknown } | null | undefined)?.code
  const text = typeof cause === 'string' ? cause : (detail ?? message).replace(/^.* - /s, '')
  return `${code} ${text.replace(/\d+/g, '0')}`
}
