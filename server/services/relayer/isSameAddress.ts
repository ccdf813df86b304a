/** Compares two addresses regardless of case, which only carries an ERC-55 checksum. */
export function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
