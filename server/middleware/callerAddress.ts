import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { takeIpv6Groups } from '@svc/core/url/ipAddress.ts'

/** Finds the address that a request came from. */
export type CallerAddress = (req: IncomingMessage) => string

/**
 * The address of the peer, or of whom trusted proxies say that it is: budgets and locks are counted by it.
 *
 * Of an IPv6 address it is the first half alone: a host has the other half to itself, and would have as many budgets as
 * it likes.
 *
 * Each proxy adds the address it was called from to the end of `X-Forwarded-For`, and anybody may have written what stands
 * before. So the list is read from its end, through proxies that are trusted, to the first address that is none.
 *
 * @param proxies Addresses and networks (`10.0.0.0/8`) of the trusted proxies.
 * Source: MDN "X-Forwarded-For", "Selecting an IP address"; RFC 4291 §2.5.1.
 */
export function createCallerAddress(proxies: readonly string[]): CallerAddress {
  if (proxies.length === 0) return (req) => networkOf(req.socket.remoteAddress ?? '')
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [net = '', bits] = proxy.split('/')
    if (bits === undefined) trusted.addAddress(net, familyOf(net))
    else trusted.addSubnet(net, Number(bits), familyOf(net))
  }
  return (req) => {
    let address = unmapAddress(req.socket.remoteAddress ?? '')
    const hops = String(req.headers['x-forwarded-for'] ?? '').split(',')
    while (hops.length > 0 && isIP(address) !== 0 && trusted.check(address, familyOf(address))) {
      const before = unmapAddress(hops.pop()?.trim() ?? '')
      // What is no address was not written by a proxy that is trusted.
      if (isIP(before) === 0) break
      address = before
    }
    return networkOf(address)
  }
}

/** Networks that hold an IPv4 address in the half that is left out. Source: RFC 4291 §2.5.5.2, RFC 6052 §2.1. */
const OF_IPV4 = /^(?:::ffff|64:ff9b:):/i

/** An IPv6 address with nothing in its second half, an IPv4 address as it is. */
function networkOf(address: string): string {
  if (!address.includes(':') || OF_IPV4.test(address)) return address
  const groups = takeIpv6Groups(address, 4)
  return groups === undefined ? address : `${groups}::`
}

/** Whether a text is an address or a network that may be trusted. */
export function isAddressOrNetwork(text: string): boolean {
  const [net = '', bits, ...more] = text.split('/')
  const family = isIP(net)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** A socket that takes both families tells an IPv4 address within an IPv6 one. */
function unmapAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}
