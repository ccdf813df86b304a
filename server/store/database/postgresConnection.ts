import pg from 'pg'

/** OID of `bigint`. Source: PostgreSQL, `pg_type.dat`. */
const INT8 = 20

/**
 * Longest that this service waits for PostgreSQL, in milliseconds: to connect, for a lock that others hold, and for a
 * statement. A transaction whose process stands still is ended too, because it would hold its locks for ever.
 */
const LIMITS = { connectMs: 3_000, lockMs: 5_000, statementMs: 15_000, idleInTransactionMs: 10_000 }

export type PostgresOptions = {
  /** Names the connection to the database's operator. */
  name: string
  lockMs?: number
  statementMs?: number
  /** Whether statements are sent without waiting for the answers to those before. */
  pipeline?: boolean
}

/**
 * Settings of every connection to PostgreSQL: bounded waits, commits that are on disk, and 64-bit integers as numbers.
 *
 * Ours are times, sizes and sequence numbers, which are exact below 2^53; one that is not is an error and never a
 * rounded value. The client's own limit is above the server's, for a server that does not answer at all.
 * Source: PostgreSQL 15 §20.11.1 "Statement Behavior"; faults.md row 14.
 */
export function postgresConnection(url: string, options: PostgresOptions) {
  const statementMs = options.statementMs ?? LIMITS.statementMs
  return {
    connectionString: url,
    application_name: `svc-${options.name}`,
    connectionTimeoutMillis: LIMITS.connectMs,
    lock_timeout: options.lockMs ?? LIMITS.lockMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    idle_in_transaction_session_timeout: LIMITS.idleInTransactionMs,
    options: '-c synchronous_commit=on',
    keepAlive: true,
    pipeline: options.pipeline ?? false,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 && format !== 'binary'
          ? safeInteger
          : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  }
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new Error(`the database holds ${text}, which is no exact number here`)
  return value
}

/** First half of the key of our advisory locks, so that they are nobody else's: `svc` in ASCII. */
const OURS = 0x737663

/**
 * Advisory locks of PostgreSQL that the processes over one database share, as arguments of `pg_advisory_xact_lock`.
 *
 * Whoever takes more than one takes them in this order, `log` last: it is held to the end of the commit, and makes
 * sequence numbers dense and of the order of the commits.
 * Source: PostgreSQL 15 §13.3.5 "Advisory Locks".
 */
export const POSTGRES_LOCKS = {
  migrations: `${OURS}, 1`,
  useCases: `${OURS}, 2`,
  log: `${OURS}, 3`,
} as const
