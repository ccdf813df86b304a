import type { IncomingMessage } from 'node:http'

/**
 * Headers that are about one connection and end there, whatever `Connection` names; `Expect` has been answered already.
 *
 * Source: RFC 9110 §7.6.1; RFC 9112 §6.1.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Returns the headers of a message that may pass, as names and values in turn, in their order and spelling.
 *
 * @param without Further names to leave out, in lower case.
 */
export function passHeaders(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  without: readonly string[] = [],
): string[] {
  const ended = new Set(readConnectionNames(headers.connection))
  const passed: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    // CGI and its successors do not tell an underscore from a hyphen.
    const key = name.toLowerCase().replaceAll('_', '-')
    if (!HOP_BY_HOP.has(key) && !ended.has(key) && !without.includes(key)) passed.push(name, value)
  }
  return passed
}

/** A sender may end further headers with the connection, but not those without which the message means something else. */
function readConnectionNames(connection = ''): string[] {
  const names = connection.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => !['host', 'content-length', 'content-encoding'].includes(name))
}
