/**
 * Whether a reader of JSON could take two names of members for the same one: readers differ in case, in forms of a letter
 * (`ſ` is an `s` for some, and the Kelvin sign a `k`), in characters that nobody sees, and in what follows a NUL.
 *
 * Source: Go `encoding/json`, matching of names; Unicode TR 15, NFKC.
 */
export function areAlike(name: string, other: string): boolean {
  return name === other || formsOf(name).some((form) => formsOf(other).includes(form))
}

function formsOf(name: string): string[] {
  const end = name.indexOf('\0')
  return end === -1 ? [fold(name)] : [fold(name), fold(name.slice(0, end))]
}

/** Upper case first, which some letters share that differ in lower case. */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\p{C}\p{M}\p{Z}]/gu, '')
}
