import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { normaliseIpAddress, takeIpv6Groups } from '@svc/core/url/ipAddress.ts'

/** Finds the address from which a request came. */
export type CallerAddress = (req: IncomingMessage) => string

/**
 * Creates the function that finds a caller’s address, by which budgets and locks count: the address of the peer, or the one
 * that trusted proxies report.
 *
 * For an IPv6 address it is the first half only, because a host controls the other half and would otherwise have an
 * unlimited number of budgets. A subscriber may have many such halves, so what a stranger must not have often is also
 * counted by `siteOf` or `networkOf`.
 *
 * Each proxy appends the address of its caller to `X-Forwarded-For`; everything before may be forged. The list is therefore
 * read from its end, through trusted proxies, to the first untrusted address.
 *
 * @param proxies Addresses and networks (`10.0.0.0/8`) of the trusted proxies.
 * @param onUnreadable Called the first time that a trusted proxy reports something else than an address: all of its callers
 * count as one.
 * Source: MDN "X-Forwarded-For", "Selecting an IP address"; RFC 4291 §2.5.1.
 */
export function createCallerAddress(
  proxies: readonly string[],
  onUnreadable: () => void = () => undefined,
): CallerAddress {
  if (proxies.length === 0) return (req) => zeroHostHalf(unmapAddress(req.socket.remoteAddress ?? ''))
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [net = '', bits] = proxy.split('/')
    const address = unmapAddress(net)
    // The prefix of an unmapped network counted 96 bits more.
    const surplus = address === net ? 0 : 96
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits) - surplus, familyOf(address))
  }
  let isReported = false
  return (req) => {
    let address = unmapAddress(req.socket.remoteAddress ?? '')
    const hops = String(req.headers['x-forwarded-for'] ?? '').split(',')
    while (hops.length > 0 && isIP(address) !== 0 && trusted.check(address, familyOf(address))) {
      const hop = hops.pop()?.trim() ?? ''
      const before = unmapAddress(withoutPort(hop))
      if (isIP(before) === 0) {
        if (hop !== '' && !isReported) onUnreadable()
        isReported ||= hop !== ''
        break
      }
      address = before
    }
    return zeroHostHalf(address)
  }
}

/** The network that contains an IPv4 address in its second half. Source: RFC 6052 §2.1. */
const OF_IPV4 = /^64:ff9b::/i

/** Zeroes the second half of an IPv6 address; an IPv4 address stays unchanged. */
function zeroHostHalf(address: string): string {
  if (!address.includes(':') || OF_IPV4.test(address)) return address
  const groups = takeIpv6Groups(address, 4)
  return groups === undefined ? address : `${groups}::`
}

/** Some proxies add the port: `203.0.113.7:51234`, `[2001:db8::1]:443`. Source: RFC 7239 §6. */
function withoutPort(text: string): string {
  return /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** Unwraps an IPv4 address that a dual-stack socket or a proxy reports as IPv6; other text stays unchanged. */
function unmapAddress(address: string): string {
  return address.includes(':') ? (normaliseIpAddress(address) ?? address) : address
}
