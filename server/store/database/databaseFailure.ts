import type { Knex } from 'knex'
import { type ApiError, apiError } from '../../errors.ts'
import { codeOf } from './codeOf.ts'

/**
 * SQLSTATE classes and codes of transient failures: connection (08), operator intervention (57), insufficient resources
 * (53), lock not available, serialisation failure, deadlock, idle-in-transaction timeout, and a server that became
 * read-only, such as a standby. Source: PostgreSQL 15 appendix A.
 */
const TRANSIENT_SQLSTATES = /^(08...|57...|53...|55P03|40...|25006|25P0[34])$/

/**
 * SQLSTATEs of a server that lets the login in no more, has no such database, or closed it. Only of a connection: a
 * statement that is refused with one of them is wrong. Source: PostgreSQL 15 appendix A.
 */
const REFUSED_CONNECTION = /^(28...|3D000|55000|42501)$/

/** Another process has locked the file, or the disk is full. Source: SQLite, "Result and Error Codes". */
const TRANSIENT_SQLITE_CODES = /^SQLITE_(BUSY|FULL)(_\w+)?$/

/** Errors of sockets and DNS lookups. Source: Node, "Common system errors". */
const TRANSIENT_SYSTEM_CODES = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

const TRANSIENT_CODES = [TRANSIENT_SQLSTATES, TRANSIENT_SQLITE_CODES, TRANSIENT_SYSTEM_CODES]

/** Errors of the driver and the pool that have no code; knex puts the statement before the message. */
const TRANSIENT_MESSAGES =
  /(?:^| - )(Connection terminated|Connection ended|timeout expired|Query read timeout|Client (was closed|has encountered)|Knex: Timeout acquiring)/

/** Whether a failure is due to the connection or the load rather than the statement, so that a retry may succeed. */
function isTransientFailure(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return TRANSIENT_CODES.some((codes) => codes.test(code))
  return error instanceof AggregateError || TRANSIENT_MESSAGES.test(String(message))
}

/**
 * Whether SQLite refused to write because another connection writes, so that the same statement may succeed later. That of
 * a transaction with an outdated state cannot. Source: SQLite, "Result and Error Codes".
 */
export function isLockedElsewhere(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^SQLITE_BUSY(_RECOVERY|_TIMEOUT)?$/.test(code)
}

/** Builds the error for a caller whose outcome may not be stored: retry later. */
export function serviceUnavailable(cause: unknown): ApiError {
  redactValues(cause)
  const detail = cause instanceof Error ? cause.message : String(cause)
  return apiError('SERVICE_UNAVAILABLE', { cause, detail, headers: { 'Retry-After': '1' } })
}

/** SQLSTATE class "data exception", whose messages quote the value. Source: PostgreSQL 15 appendix A. */
const DATA_EXCEPTION = /^22...$/

/** The quoted part of the message, after the statement that knex puts before it. */
const QUOTED = /^(.*? - |)([^"]*)".*"/s
const FRAMES = /(?:\n {4}at .*)*$/

/** Removes the quoted values from PostgreSQL's data exceptions; other errors stay unchanged. */
function redactValues(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error) || !DATA_EXCEPTION.test(String(error.code))) return
  const frames = FRAMES.exec(error.stack ?? '')?.[0] ?? ''
  error.message = error.message.replace(QUOTED, '$1$2"…"')
  error.stack = `${error.name}: ${error.message}${frames}`
}

/** Turns a transient failure into SERVICE_UNAVAILABLE, and removes values from any other. */
export async function translateFailure<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (isTransientFailure(error)) throw serviceUnavailable(error)
    redactValues(error)
    throw error
  }
}

function refuseConnection(error: unknown): never {
  throw REFUSED_CONNECTION.test(codeOf(error)) ? serviceUnavailable(error) : error
}

/**
 * Makes a pool translate all its failures. Statements in transactions bypass it: the transaction's caller translates
 * its outcome.
 */
export function translateFailuresOf(query: Knex): Knex {
  const { client } = query
  const [run, acquire] = [client.query.bind(client), client.acquireConnection.bind(client)]
  client.query = (...given: unknown[]) => translateFailure(run(...given))
  client.acquireConnection = () => translateFailure(acquire().catch(refuseConnection))
  return query
}
