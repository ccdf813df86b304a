import type pg from 'pg'

/**
 * SQLSTATEs after which a session keeps failing although a new one may not: the session is read-only, because the server or
 * its database was when it began; a statement that it prepared has another result by now, or is gone. Source: PostgreSQL 15
 * appendix A.
 */
const LASTING_SQLSTATES = /^(25006|0A000|26000)$/

const failing = new WeakSet<pg.Client>()

/** Notes errors of a connection after which its session has to be replaced, whichever statement they answer. */
export function watchSession(client: pg.Client): void {
  client.connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
    if (LASTING_SQLSTATES.test(code)) failing.add(client)
  })
}

/** Whether the session of a watched connection has to be replaced. */
export function isSessionFailing(client: pg.Client): boolean {
  return failing.has(client)
}
