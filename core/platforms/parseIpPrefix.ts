import { ipAddressBytes } from '../url/ipAddressBytes.ts'

/** The widest blocks that one operator can have for itself. */
const BITS_MIN = { 4: 8, 16: 19 } as const

/** One block of addresses. */
export type IpPrefix = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

/** Reads `address/bits`, or an address alone; undefined for what is none and for a block that is too wide to be one. */
export function parseIpPrefix(text: string): IpPrefix | undefined {
  const [, address = '', digits] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const length = ipAddressBytes(address)?.length
  if (length !== 4 && length !== 16) return undefined
  const bits = digits === undefined ? length * 8 : Number(digits)
  if (bits < BITS_MIN[length] || bits > length * 8) return undefined
  return { address, bits, family: length === 4 ? 'ipv4' : 'ipv6' }
}
