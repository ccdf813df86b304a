/** A name field of a passport: the surname, two fillers, the given names, fillers to its end. */
const NAMES = /^([A-Z]+(?:<[A-Z]+)*)(?:<<([A-Z]+(?:<[A-Z]+)*))?<*$/

/**
 * The names of a machine readable zone's name field, with spaces for its single fillers; null when it holds none.
 *
 * Who has one name has no given names. A name too long for the field is cut off in the passport already.
 * Source: ICAO Doc 9303-3 §4.6, 9303-4 §4.2.2.1.
 */
export function mrzNames(field: string): { surname: string; givenNames: string } | null {
  const [, surname, givenNames = ''] = NAMES.exec(field) ?? []
  if (surname === undefined) return null
  return { surname: surname.replaceAll('<', ' '), givenNames: givenNames.replaceAll('<', ' ') }
}
