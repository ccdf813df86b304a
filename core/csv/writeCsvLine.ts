/** What spreadsheets take for the beginning of a formula, also after a line break that they turn into a cell of its own. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * Writes one line of a CSV file with its line break; null is an empty cell.
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe in front, because the texts are other people’s.
 * Numbers stay as they are.
 *
 * Source: RFC 4180 §2; OWASP "CSV Injection".
 */
export function writeCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: string | number | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
