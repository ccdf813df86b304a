import { isPunycodeLabel } from './isPunycodeLabel.ts'

/**
 * The reasons why a host name is not public, as events report them.
 *
 * Source: Spec: Events (`counterparty.discovery_blocked`).
 */
export const HOSTNAME_REASONS = {
  localhost: 'url_hostname_localhost',
  ipLiteral: 'url_hostname_ip_literal',
  singleLabel: 'url_hostname_single_label',
  malformed: 'url_hostname_malformed',
  local: 'url_hostname_local',
  internal: 'url_hostname_internal',
  reserved: 'url_hostname_reserved',
} as const

type HostnameReason = (typeof HOSTNAME_REASONS)[keyof typeof HOSTNAME_REASONS]

type Verdict = { readonly public: true } | { readonly public: false; readonly reason: HostnameReason }

/** Names that are private or reserved, including all their subdomains. */
const RESERVED_SUFFIXES: readonly (readonly [suffix: string, reason: HostnameReason])[] = [
  ['localhost', HOSTNAME_REASONS.localhost], // RFC 6761
  ['localdomain', HOSTNAME_REASONS.localhost],
  ['local', HOSTNAME_REASONS.local], // RFC 6762
  ['internal', HOSTNAME_REASONS.internal], // ICANN resolution 2024.07.29.06
  ['home.arpa', HOSTNAME_REASONS.internal], // RFC 8375
  ['intranet', HOSTNAME_REASONS.internal], // RFC 6762 appendix G, with the next five
  ['private', HOSTNAME_REASONS.internal],
  ['corp', HOSTNAME_REASONS.internal],
  ['home', HOSTNAME_REASONS.internal],
  ['lan', HOSTNAME_REASONS.internal],
  ['test', HOSTNAME_REASONS.reserved], // RFC 2606, with the next five
  ['example', HOSTNAME_REASONS.reserved],
  ['invalid', HOSTNAME_REASONS.reserved],
  ['example.com', HOSTNAME_REASONS.reserved],
  ['example.net', HOSTNAME_REASONS.reserved],
  ['example.org', HOSTNAME_REASONS.reserved],
  ['onion', HOSTNAME_REASONS.reserved], // RFC 7686
  ['alt', HOSTNAME_REASONS.reserved], // RFC 9476
  ['arpa', HOSTNAME_REASONS.reserved], // RFC 3172: infrastructure, never a site
]

/**
 * Whether a host is a public, fully qualified name under which an endpoint can be discovered, and if not, why.
 *
 * It checks the form only and asks no name server. A public name may still resolve to a private address, so the caller must
 * check the address it connects to (`isPrivateAddress`). Case and one trailing dot are ignored. International names are
 * expected in punycode, as `normaliseUrl` returns them.
 *
 * Source: RFC 1123 §2.1; RFC 6761.
 */
export function classifyHostname(host: string): Verdict {
  const name = host.toLowerCase().replace(/\.$/, '')
  const labels = name.split('.')
  if (isIpLiteral(name, labels)) return refuse(HOSTNAME_REASONS.ipLiteral)
  for (const [suffix, reason] of RESERVED_SUFFIXES) {
    if (name === suffix || name.endsWith(`.${suffix}`)) return refuse(reason)
  }
  if (name.length > 253 || !labels.every(isLabel)) return refuse(HOSTNAME_REASONS.malformed)
  if (labels.length === 1) return refuse(HOSTNAME_REASONS.singleLabel)
  return isTopLevel(labels.at(-1) ?? '') ? { public: true } : refuse(HOSTNAME_REASONS.malformed)
}

function refuse(reason: HostnameReason): Verdict {
  return { public: false, reason }
}

/** Every browser reads a name whose last label is a number as an IPv4 address: `127.1`, `0x7f000001`. */
function isIpLiteral(name: string, labels: readonly string[]): boolean {
  return name.includes(':') || name.startsWith('[') || /^([0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')
}

function isLabel(label: string): boolean {
  if (label.length > 63 || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) return false
  return !label.startsWith('xn--') || isPunycodeLabel(label)
}

function isTopLevel(label: string): boolean {
  return /^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(label)
}
