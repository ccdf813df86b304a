import { ipAddressBytes } from './ipAddressBytes.ts'

/**
 * The first groups of an IPv6 address, in lower case without leading zeros (`2001:db8:0:7`); undefined for what is none.
 *
 * Source: RFC 4291 §2.2.
 */
export function ipv6Groups(address: string, count: number): string | undefined {
  const bytes = ipAddressBytes(address)
  if (bytes?.length !== 16) return undefined
  const group = (at: number) => (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16)
  return Array.from({ length: count }, (_, at) => group(at)).join(':')
}
