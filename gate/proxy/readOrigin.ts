import type { IncomingMessage } from 'node:http'
import type { Origin } from './buildUpstreamHeaders.ts'
import { findCaller } from './findCaller.ts'

/**
 * Reads where a request came from: its connection, or what a proxy in front says.
 *
 * @param proxies Number of proxies in front that add to `X-Forwarded-For` and set `X-Forwarded-Proto`.
 */
export function readOrigin({ headers, socket }: IncomingMessage, proxies: number): Origin {
  const address = socket.remoteAddress ?? ''
  if (proxies === 0) return { caller: address, forwardedFor: address, scheme: 'http' }
  const before = [headers['x-forwarded-for']].flat().join(', ') || undefined
  return {
    caller: findCaller(before, proxies) ?? address,
    forwardedFor: before === undefined ? address : `${before}, ${address}`,
    scheme: headers['x-forwarded-proto'] === 'https' ? 'https' : 'http',
  }
}
