import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'

/** Renders rows as aligned columns; nothing is cut, because identifiers are copied. */
export function renderTable(rows: readonly (readonly string[])[]): string[] {
  const escaped = rows.map((row) => row.map(escapeForTerminal))
  const widths = (escaped[0] ?? []).map((_, column) =>
    Math.max(...escaped.map((row) => (row[column] ?? '').length)),
  )
  return escaped.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
