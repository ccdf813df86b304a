/** Splits a field name into words: `oldestSeconds` is `oldest seconds`, `externally_governed` is `externally governed`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** As many as a request may state, and as tokens of Ethereum have. */
const DIGITS_MAX = 18

/**
 * Formats an amount with all its digits: whoever approves it must see what is approved. A currency outside ISO 4217 follows
 * the number.
 *
 * In the language of the page and not of the reader's system, because the fields of the page read `1.000` as one.
 */
export function formatAmount(value: number, currency: string | undefined): string {
  const exact = { maximumFractionDigits: DIGITS_MAX }
  const number = new Intl.NumberFormat('en', exact).format(value)
  if (currency === undefined) return number
  try {
    return new Intl.NumberFormat('en', { ...exact, style: 'currency', currency }).format(value)
  } catch {
    return `${number} ${currency}`
  }
}

/** Capitalises the first letter. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Shortens an identifier for a title; show the full one where it can be copied. */
export function shortenIdentifier(id: string): string {
  return id.length > 16 ? `${id.slice(0, 9)}…${id.slice(-4)}` : id
}
