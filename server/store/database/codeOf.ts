/** The code of an error of a driver or of the system, such as `40001`, `SQLITE_FULL` or `EIO`; empty if it has none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '')
}
