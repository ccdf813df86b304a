/**
 * Parses an IP address into its 4 or 16 bytes; undefined when the text is not one.
 *
 * IPv4 is four decimal numbers without leading zeros. IPv6 may have any spelling without brackets, including a dotted IPv4
 * address at the end. A zone (`%eth0`) is ignored.
 *
 * Source: RFC 4291 §2.2; RFC 4007 §11.
 */
export function parseIpAddress(text: string): number[] | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text)
}

function parseV4(text: string): number[] | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return undefined
  const parts = match.slice(1)
  const isByte = (part: string) => Number(part) <= 255 && String(Number(part)) === part
  return parts.every(isByte) ? parts.map(Number) : undefined
}

function parseV6(text: string): number[] | undefined {
  const address = text.replace(/%[0-9A-Za-z:.-]+$/, '')
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half, i) => parseGroups(half, i === halves.length - 1))
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 16 ? head : undefined
  // `::` is at least one group of zeros.
  if (tail === undefined || head.length + tail.length > 14) return undefined
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail]
}

function parseGroups(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [i, group] of groups.entries()) {
    const v4 = mayEndInV4 && i === groups.length - 1 && group.includes('.') ? parseV4(group) : undefined
    if (v4 !== undefined) {
      bytes.push(...v4)
      continue
    }
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
    const value = Number.parseInt(group, 16)
    bytes.push(value >> 8, value & 0xff)
  }
  return bytes
}

/**
 * Normalises an IP address for comparison: an IPv4 address in any IPv6 form (`::ffff:192.0.2.1`, `::ffff:c000:201`) is
 * returned as IPv4.
 *
 * Undefined when the text is not an address, or has a zone, which is meaningful on one machine only.
 *
 * Source: RFC 4291 §2.5.5.2; RFC 4007 §11.
 */
export function normaliseIpAddress(text: string): string | undefined {
  const address = text.trim()
  const bytes = address.includes('%') ? undefined : parseIpAddress(address)
  if (bytes === undefined) return undefined
  return bytes.length === 16 && isWithin(bytes, MAPPED) ? bytes.slice(12).join('.') : address
}

/**
 * The first `count` groups of an IPv6 address, in lower case without leading zeros (`2001:db8:0:7`); undefined when the text
 * is not an IPv6 address.
 *
 * Source: RFC 4291 §2.2.
 */
export function takeIpv6Groups(address: string, count: number): string | undefined {
  const bytes = parseIpAddress(address)
  if (bytes?.length !== 16) return undefined
  const group = (at: number) => (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16)
  return Array.from({ length: count }, (_, at) => group(at)).join(':')
}

const IPV4 = /^(\d{1,3}\.){3}\d{1,3}$/

/**
 * The network of an address: the /24 of an IPv4 address in any form, NAT64 included, and the /48 of an IPv6 address. Either
 * is about 256 subscribers, because one has an IPv4 address or a /56; some have a whole /48. A text that is not an address
 * stands for itself.
 *
 * Source: RFC 6177 §2; RFC 6052 §2.1.
 */
export function networkOf(address: string): string {
  // Without parsing, because it runs for every verification.
  if (IPV4.test(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  const bytes = parseIpAddress(address)
  if (bytes === undefined) return address
  return isWithinAny(bytes, V4_CARRIERS)
    ? `${bytes.slice(12, 15).join('.')}.0/24`
    : `${takeIpv6Groups(address, 3)}::/48`
}

/**
 * What one subscriber may have at most: the /48 of an IPv6 address, with 65,536 networks that hosts can be in, or an IPv4
 * address by itself.
 *
 * Source: RFC 6177 §2.
 */
export function siteOf(address: string): string {
  return address.includes(':') ? networkOf(address) : address
}

type Range = { readonly prefix: readonly number[]; readonly bits: number }

/** IANA's special-purpose IPv4 blocks, plus multicast. */
const V4_RANGES = parseRanges([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared address space
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // automatic multicast tunnelling
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved and broadcast
])

/** The special-purpose blocks inside global unicast. Everything outside global unicast is private. */
const V6_RANGES = parseRanges([
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])

const GLOBAL_UNICAST = parseRange('2000::/3')

/** The block of IPv4 addresses in IPv6 form. Source: RFC 4291 §2.5.5.2. */
const MAPPED = parseRange('::ffff:0:0/96')

/** Blocks whose last four bytes are the IPv4 address actually reached: IPv4-mapped, and the well-known NAT64 prefix. */
const V4_CARRIERS = [MAPPED, parseRange('64:ff9b::/96')]

/**
 * Whether an address must not be reached by a request whose target someone else chose.
 *
 * That is every special-purpose range of IPv4 and IPv6, an IPv6 address that embeds such an IPv4 address, all of IPv6
 * outside global unicast (loopback, local, link-local, multicast, local NAT64, discard, unassigned) and, to be safe, a
 * text that is not an address. Check the address to connect to after name resolution, and not the name.
 *
 * Source: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890); RFC 6052; RFC 4291 §2.5.5.
 */
export function isPrivateAddress(ip: string): boolean {
  const bytes = parseIpAddress(ip)
  if (bytes === undefined) return true
  if (bytes.length === 4) return isWithinAny(bytes, V4_RANGES)
  if (isWithinAny(bytes, V4_CARRIERS)) return isWithinAny(bytes.slice(12), V4_RANGES)
  return !isWithin(bytes, GLOBAL_UNICAST) || isWithinAny(bytes, V6_RANGES)
}

function isWithinAny(bytes: readonly number[], list: readonly Range[]): boolean {
  return list.some((range) => isWithin(bytes, range))
}

function isWithin(bytes: readonly number[], { prefix, bits }: Range): boolean {
  return prefix.every((byte, i) => {
    const prefixBits = Math.min(8, Math.max(0, bits - i * 8))
    const mask = (0xff << (8 - prefixBits)) & 0xff
    return (byte & mask) === ((bytes[i] ?? 0) & mask)
  })
}

function parseRanges(list: readonly string[]): readonly Range[] {
  return list.map(parseRange)
}

function parseRange(text: string): Range {
  const [address = '', bits] = text.split('/')
  const prefix = parseIpAddress(address)
  if (prefix === undefined) throw new Error(`${text} is not a range of addresses`)
  return { prefix, bits: Number(bits) }
}
