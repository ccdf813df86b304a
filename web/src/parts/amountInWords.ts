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
