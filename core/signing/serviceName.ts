import { parseUrl } from '../url/url.ts'

/** The name under which a service is signed for: the origin of its URL; undefined for what is no URL. */
export function serviceNameOf(url: string): string | undefined {
  return parseUrl(url)?.origin
}

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/**
 * Whether what was signed names a service with these names. One whose own name, the first, is a loopback address has all of
 * them: it is the one on this machine, which several addresses and ports reach.
 */
export function isServiceNamed(stated: string, names: readonly string[]): boolean {
  return names.includes(stated) || (LOOPBACK.test(stated) && LOOPBACK.test(names[0] ?? ''))
}
