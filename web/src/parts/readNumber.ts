/** Digits, which commas may group, and decimals after a point. */
const DECIMAL = /^(\d+|\d{1,3}(,\d{3})+)?\.?\d*$/
const WHOLE = /^(\d+|\d{1,3}(,\d{3})+)$/

/** Reads a number as people write it, such as `1800` or `1,800.50`; null if the text is anything else. */
export function readNumber(text: string, isWhole: boolean): number | null {
  const trimmed = text.trim()
  if (!/\d/.test(trimmed) || !(isWhole ? WHOLE : DECIMAL).test(trimmed)) return null
  return Number(trimmed.replaceAll(',', ''))
}
