import { parseUrl } from '@svc/core/url/url.ts'

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i
/** A host, and neither a user nor what parsers read in several ways. */
const WITH_HOST = /^[^:]+:\/\/[^/?#@\\]+(?:[/?#]|$)/

/** Whether a target is a URL. Source: RFC 9112 §3.2.2. */
export function isAbsolute(target: string): boolean {
  return ABSOLUTE.test(target.trim())
}

/**
 * Whether a target is a URL that does not name exactly the host of the `Host` header, or names a user.
 *
 * A signature covers the host of the target, which has precedence. Servers differ in which of the two they use, so what
 * stands behind the gateway could take the request for one to another host.
 *
 * @param host Undefined if the request has none, as outside HTTP; then nothing is contradicted.
 * Source: RFC 9112 §3.2.2; RFC 9110 §4.2.4.
 */
export function contradictsHost(target: string, host: string | undefined): boolean {
  if (host === undefined || !isAbsolute(target)) return false
  const url = parseUrl(target.trim())
  if (url === null || !WITH_HOST.test(target.trim())) return true
  return parseUrl(`${url.protocol}//${host}`)?.host !== url.host
}
