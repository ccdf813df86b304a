/**
 * Whether two addresses or other values in hex are the same. Their case means nothing, except that it carries the checksum
 * of an address.
 *
 * Source: ERC-55.
 */
export function isSameHex(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
