/**
 * Counts how often a request says for which host it is. Of several, a proxy may have read another one than the server, and
 * node:http shows only the first.
 *
 * @param rawHeaders Names and values in turn.
 * Source: RFC 9112 §3.2.
 */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
