import { z } from 'zod'
import { normaliseIpAddress, parseIpAddress } from '../url/ipAddress.ts'

/** The largest blocks that a single operator can have. */
const BITS_MIN = { 4: 8, 16: 19 } as const

/** One block of addresses. */
export type IpPrefix = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

/**
 * Parses `address/bits` or a single address; undefined if the text is neither or the block is too large. A block of IPv4
 * addresses in IPv6 form (`::ffff:192.0.2.0/120`) is one of IPv4.
 */
export function parseIpPrefix(text: string): IpPrefix | undefined {
  const [, address = '', digits] = /^([0-9a-fA-F.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const written = parseIpAddress(address)?.length
  const normal = normaliseIpAddress(address)
  if (written === undefined || normal === undefined) return undefined
  const length = normal.includes(':') ? 16 : 4
  // The prefix of a mapped block counts the 96 bits before its IPv4 address as well.
  const bits = digits === undefined ? length * 8 : Number(digits) - (written - length) * 8
  if (bits < BITS_MIN[length] || bits > length * 8) return undefined
  return { address: normal, bits, family: length === 4 ? 'ipv4' : 'ipv6' }
}

/** Maximum number of blocks in a list; a longer one is broken or not that of a single operator. */
const PREFIXES_MAX = 20_000

const listSchema = z.object({
  creationTime: z.string().max(64).optional(),
  prefixes: z
    .array(z.union([z.object({ ipv4Prefix: z.string() }), z.object({ ipv6Prefix: z.string() })]))
    .min(1)
    .max(PREFIXES_MAX),
})

/**
 * Parses a published list of address blocks: `{creationTime, prefixes: [{ipv4Prefix} | {ipv6Prefix}]}`, the format that
 * Google introduced and other operators adopted.
 *
 * Undefined when the list is invalid, empty, or contains a block too large for a single operator. A broken response must
 * neither turn addresses into evidence nor replace a good list.
 */
export function parseIpList(text: string): readonly IpPrefix[] | undefined {
  const parsed = listSchema.safeParse(jsonOf(text))
  if (!parsed.success) return undefined
  const prefixes: IpPrefix[] = []
  for (const entry of parsed.data.prefixes) {
    const prefix = parseIpPrefix('ipv4Prefix' in entry ? entry.ipv4Prefix : entry.ipv6Prefix)
    if (prefix === undefined) return undefined
    prefixes.push(prefix)
  }
  return prefixes
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a host name matches a pattern of the names that a platform's addresses resolve to.
 *
 * The first label of a pattern may be `*`, which matches one or more whole labels, or end in `*`, which matches the rest of
 * that label. `*.domain` matches neither the domain itself nor a name with the same ending (`evilgooglebot.com`). A root dot
 * and case are ignored.
 */
export function matchesHostPattern(host: string, pattern: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  const at = pattern.indexOf('*')
  if (at < 0) return name === pattern
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)]
  if (name.length <= before.length + after.length) return false
  if (!name.startsWith(before) || !name.endsWith(after)) return false
  const matched = name.slice(before.length, name.length - after.length)
  return before === '' ? !matched.startsWith('.') : !matched.includes('.')
}
