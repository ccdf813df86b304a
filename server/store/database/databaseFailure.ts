import type { Knex } from 'knex'
import { type ApiError, apiError } from '../../errors.ts'

/**
 * SQLSTATE classes and codes of what passes by itself: connection gone (08), shut down or cancelled (57), out of
 * resources (53), a lock not to be had, serialisation, deadlock, and a transaction ended for standing still.
 * Source: PostgreSQL 15 appendix A.
 */
const PASSING_CODES = /^(08...|57...|53...|55P03|40...|25P0[34])$/

/** The file is locked by another, or its disk is full. Source: SQLite, "Result and Error Codes". */
const PASSING_SQLITE_CODES = /^SQLITE_(BUSY|FULL)(_\w+)?$/

/** What sockets and name servers say. Source: Node, "Common system errors". */
const PASSING_SYSTEM_CODES = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

const PASSING = [PASSING_CODES, PASSING_SQLITE_CODES, PASSING_SYSTEM_CODES]

/** The driver and the pool have no codes for these; knex puts the statement before the sentence. */
const PASSING_SENTENCES =
  /(?:^| - )(Connection terminated|Connection ended|timeout expired|Query read timeout|Client (was closed|has encountered)|Knex: Timeout acquiring)/

/** Whether the failure lies with the connection or the load and not with the statement: asked again, it may pass. */
export function isTransientFailure(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return PASSING.some((codes) => codes.test(code))
  return error instanceof AggregateError || PASSING_SENTENCES.test(String(message))
}

/** What a caller gets whose outcome is not known to be stored: ask again. */
export function serviceUnavailable(cause: unknown): ApiError {
  redactValues(cause)
  const detail = cause instanceof Error ? cause.message : String(cause)
  return apiError('SERVICE_UNAVAILABLE', { cause, detail, headers: { 'Retry-After': '1' } })
}

/** SQLSTATE class "data exception", whose sentences quote the value. Source: PostgreSQL 15 appendix A. */
const DATA_EXCEPTION = /^22...$/

/** What stands in quotation marks after the statement that knex puts before the sentence. */
const QUOTED = /^(.*? - |)([^"]*)".*"/s
const FRAMES = /(?:\n {4}at .*)*$/

/** Takes the values out of what PostgreSQL says about a value that it could not read; other failures stay as they are. */
export function redactValues(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error) || !DATA_EXCEPTION.test(String(error.code))) return
  const frames = FRAMES.exec(error.stack ?? '')?.[0] ?? ''
  error.message = error.message.replace(QUOTED, '$1$2"…"')
  error.stack = `${error.name}: ${error.message}${frames}`
}

/** Lets a failure that may pass be the answer that says so: ask again. Any other is told without the values it is about. */
export async function translateFailure<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking
  } catch (error) {
    if (isTransientFailure(error)) throw serviceUnavailable(error)
    redactValues(error)
    throw error
  }
}

/**
 * Lets whatever a pool fails at be told as `tellFailure` does. Statements of transactions do not come by here: whoever runs
 * one tells of its outcome.
 */
export function translateFailuresOf(query: Knex): Knex {
  const { client } = query
  const [run, acquire] = [client.query.bind(client), client.acquireConnection.bind(client)]
  client.query = (...given: unknown[]) => translateFailure(run(...given))
  client.acquireConnection = () => translateFailure(acquire())
  return query
}
