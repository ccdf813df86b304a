/** Digits after the decimal point of currencies that do not have two. Source: ISO 4217, list one. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
}

/**
 * Converts an amount from the minor units of a currency to the units of a boundary: 1999 cents are 19.99 USD.
 *
 * @param currency Upper-case code; a currency without an entry in ISO 4217 has two digits. Source: ISO 4217.
 */
export function convertMinorUnits(amount: number, currency: string): number {
  return amount / 10 ** (DIGITS[currency] ?? 2)
}
