import pg from 'pg'
import { findWritableHost } from './findWritableHost.ts'

/** OID of `bigint`. Source: PostgreSQL, `pg_type.dat`. */
const INT8 = 20

/**
 * Time limits for PostgreSQL in milliseconds: to connect, to obtain a lock, and for a statement. A transaction whose
 * process stalls is ended too, because it would hold its locks forever.
 */
const LIMITS = { connectMs: 3_000, lockMs: 5_000, statementMs: 15_000, idleInTransactionMs: 10_000 }

export type PostgresOptions = {
  /** Identifies the connection to the database operator. */
  name: string
  connectMs?: number
  lockMs?: number
  statementMs?: number
  /** Whether statements are sent without waiting for the results of earlier ones. */
  pipeline?: boolean
  /** Further parameters of the session, as `-c name=value`. */
  parameters?: string
}

/**
 * Settings for the next connection to PostgreSQL: the host that accepts writes, bounded waits, durable commits, and 64-bit
 * integers as numbers.
 *
 * They are built for each connection, so that after a fail-over the next one goes to the new primary.
 * Our integers are times, sizes and sequence numbers, which are exact below 2^53; a larger one is an error, never a
 * rounded value. The client's timeout is above the server's, for a server that does not respond at all.
 *
 * @throws Error with a message for the operator if no host accepts writes.
 * Source: PostgreSQL 15 §20.11.1 "Statement Behavior".
 */
export async function buildPostgresConnection(url: string, options: PostgresOptions) {
  const statementMs = options.statementMs ?? LIMITS.statementMs
  return {
    connectionString: await findWritableHost(url),
    application_name: `svc-${options.name}`,
    connectionTimeoutMillis: options.connectMs ?? LIMITS.connectMs,
    lock_timeout: options.lockMs ?? LIMITS.lockMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    idle_in_transaction_session_timeout: LIMITS.idleInTransactionMs,
    options: `-c synchronous_commit=on ${options.parameters ?? ''}`.trimEnd(),
    keepAlive: true,
    pipeline: options.pipeline ?? false,
    types: {
      getTypeParser: (oid: number, format?: string) =>
        oid === INT8 && format !== 'binary'
          ? parseSafeInteger
          : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  }
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new Error(`the database contains ${text}, which exceeds the exact integer range`)
  return value
}
