/** Formats small figures with up to three significant digits, and large ones as whole numbers with separators. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toLocaleString('en', { maximumSignificantDigits: 3, minimumSignificantDigits: 2 })
}
