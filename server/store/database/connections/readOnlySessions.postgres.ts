import type pg from 'pg'

/** How long a session that began read-only may be used, so that a spell does not cost a connection for each read. */
const KEPT_MS = 1_000

/** Asks whether a transaction on this session can write, as `isReadOnly`. */
export const ASK_READ_ONLY = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`

/**
 * Finds the sessions that began read-only, as all do after `ALTER DATABASE … SET default_transaction_read_only = on`. They
 * stay read-only when that is reset, and each would refuse one more use case before it is replaced.
 */
export function createReadOnlySessions() {
  const since = new WeakMap<object, number>()
  return {
    /**
     * Asks a new connection, in the form in which knex calls what a pool does after it has connected. If that fails, the
     * connection is found to be broken like any other.
     */
    ask(client: pg.Client, done: (error: null, client: pg.Client) => void): void {
      client
        .query<{ isReadOnly: boolean }>(ASK_READ_ONLY)
        .then(({ rows }) => {
          if (rows[0]?.isReadOnly) since.set(client, performance.now())
        })
        .catch(() => undefined)
        .finally(() => done(null, client))
    },
    /** Whether a session that began read-only has been used for long enough, so that a new one should find out again. */
    isOutdated: (client: object) =>
      performance.now() - (since.get(client) ?? Number.POSITIVE_INFINITY) >= KEPT_MS,
  }
}
