import { ipAddressBytes } from './ipAddressBytes.ts'

const MAPPED = /^::ffff:(?=\d+\.)/i

/**
 * An IP address as it is compared: an IPv4 address that a socket reports in IPv6 form (`::ffff:192.0.2.1`) is itself.
 *
 * Undefined for what is no address, and for one with a zone, which means something on one machine only.
 *
 * Source: RFC 4291 §2.5.5.2; RFC 4007 §11.
 */
export function plainIpAddress(text: string): string | undefined {
  const address = text.trim().replace(MAPPED, '')
  return address.includes('%') || ipAddressBytes(address) === undefined ? undefined : address
}
