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
