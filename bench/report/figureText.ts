/** Three significant digits where a figure is small, whole numbers with separators where it is large. */
export function figureText(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toLocaleString('en', { maximumSignificantDigits: 3, minimumSignificantDigits: 2 })
}
