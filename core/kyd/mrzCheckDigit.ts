const WEIGHTS = [7, 3, 1] as const

/**
 * The check digit of a field of a machine readable zone, 0 to 9.
 *
 * Digits count as themselves, A to Z as 10 to 35, the filler `<` as 0; any other character counts as 0 too, and is for
 * the caller to refuse. Source: ICAO Doc 9303-3 §4.9.
 */
export function mrzCheckDigit(field: string): number {
  let sum = 0
  for (let at = 0; at < field.length; at += 1) sum += digitOf(field.charCodeAt(at)) * (WEIGHTS[at % 3] ?? 0)
  return sum % 10
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 65 && code <= 90) return code - 55
  return 0
}
