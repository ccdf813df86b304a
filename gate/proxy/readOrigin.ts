import type { IncomingMessage } from 'node:http'
import type { Origin } from './buildUpstreamHeaders.ts'

/**
 * Reads where a request came from: its connection, or what a proxy in front says.
 *
 * @param trustProxy Whether `X-Forwarded-For` and `X-Forwarded-Proto` come from a proxy that can be trusted.
 */
export function readOrigin({ headers, socket }: IncomingMessage, trustProxy: boolean): Origin {
  const address = socket.remoteAddress ?? ''
  const before = headers['x-forwarded-for']
  if (!trustProxy) return { forwardedFor: address, scheme: 'http' }
  return {
    forwardedFor: before === undefined ? address : `${before}, ${address}`,
    scheme: headers['x-forwarded-proto'] === 'https' ? 'https' : 'http',
  }
}
