/**
 * SQLSTATE classes and codes of what passes by itself: connection gone (08), shut down or cancelled (57), out of
 * resources (53), a lock not to be had, serialisation, deadlock, and a transaction ended for standing still.
 * Source: PostgreSQL 15 appendix A.
 */
const PASSING_CODES = /^(08...|57...|53...|55P03|40...|25P0[34])$/

/** What sockets and name servers say. Source: Node, "Common system errors". */
const PASSING_SYSTEM_CODES = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** The driver and the pool have no codes for these; knex puts the statement before the sentence. */
const PASSING_SENTENCES =
  /(?:^| - )(Connection terminated|Connection ended|timeout expired|Query read timeout|Client (was closed|has encountered)|Knex: Timeout acquiring)/

/** Whether the failure lies with the connection or the load and not with the statement: asked again, it may pass. */
export function isPassingFailure(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return PASSING_CODES.test(code) || PASSING_SYSTEM_CODES.test(code)
  return error instanceof AggregateError || PASSING_SENTENCES.test(String(message))
}
