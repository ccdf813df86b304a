import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import { describeExpectedUrl, normaliseUrl } from '@svc/core/url/url.ts'

/**
 * What keeps a URL from being one that strangers may be sent to; null when nothing does.
 *
 * It has to be http or https, without a user name, at a public and fully-qualified host; the last is not asked for where
 * private networks are allowed.
 *
 * Source: verification.md "Order" 4; api.md "Configuration" (`ALLOW_PRIVATE_NETWORK`).
 */
export function findPublicHostFault(url: string, allowPrivateNetwork: boolean): string | null {
  const normal = normaliseUrl(url)
  if (!normal.ok) return describeExpectedUrl(normal.reason)
  if (allowPrivateNetwork) return null
  const verdict = classifyHostname(normal.host)
  return verdict.public ? null : `expected a public, fully-qualified host: ${verdict.reason}`
}
