/** A name of a field as words: `oldestSeconds` is `oldest seconds`, `externally_governed` is `externally governed`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** A value with its currency, as the reader writes amounts; currencies that are not ISO 4217 stand behind the number. */
export function amountInWords(value: number, currency: string | undefined): string {
  const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 18 }).format(value)
  if (currency === undefined) return number
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value)
  } catch {
    return `${number} ${currency}`
  }
}

/** The text with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** An identifier short enough for a title; the whole one stands where it can be copied. */
export function shortIdentifier(id: string): string {
  return id.length > 16 ? `${id.slice(0, 9)}…${id.slice(-4)}` : id
}
