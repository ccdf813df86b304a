import { parseUrl } from '@svc/core/url/url.ts'

/** Scheme and host of a URL; without a host if there is a user, or if parsers read it in several ways. */
const ABSOLUTE = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#@\\]+)(?:[/?#]|$))?/i

/**
 * Whether a target is a URL that does not name exactly the host of the `Host` header, or names a user.
 *
 * A signature covers the host of the target, which has precedence. Servers differ in which of the two they use, so what
 * stands behind the gateway could take the request for one to another host.
 *
 * @param host Undefined if the request has none, as outside HTTP; then nothing is contradicted. No URL names the host `''`.
 * Source: RFC 9112 §3.2.2; RFC 9110 §4.2.4.
 */
export function contradictsHost(target = '/', host?: string): boolean {
  const [, scheme, named = ''] = ABSOLUTE.exec(target.trim()) ?? []
  if (host === undefined || scheme === undefined) return false
  const expected = parseUrl(`${scheme}//${named}`)?.host
  return !expected || parseUrl(`${scheme}//${host}`)?.host !== expected
}
