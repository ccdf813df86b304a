import { classifyHostname } from '@svc/core/url/classifyHostname.ts'
import { describeExpectedUrl, normaliseUrl } from '@svc/core/url/url.ts'

/**
 * Explains why a URL may not be shown to strangers; null if it may.
 *
 * It must be http or https, without a user name, at a public and fully qualified host; the last rule does not apply where
 * private networks are allowed.
 *
 * Source: docs/operations.md (`ALLOW_PRIVATE_NETWORK`).
 */
export function findPublicHostFault(url: string, allowPrivateNetwork: boolean): string | null {
  const normal = normaliseUrl(url)
  if (!normal.ok) return describeExpectedUrl(normal.reason)
  if (allowPrivateNetwork) return null
  const verdict = classifyHostname(normal.host)
  return verdict.public ? null : `expected a public, fully-qualified host: ${verdict.reason}`
}
