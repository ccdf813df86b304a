/** Splits a field name into words: `oldestSeconds` is `oldest seconds`, `externally_governed` is `externally governed`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Formats an amount in the reader's locale; a currency outside ISO 4217 follows the number. */
export function formatAmount(value: number, currency: string | undefined): string {
  const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 18 }).format(value)
  if (currency === undefined) return number
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value)
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
