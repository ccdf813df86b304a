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
