import { parseUrl } from './url.ts'

/**
 * The authorities under which agents reach an endpoint: that of its URL, and further ones that its owner states.
 *
 * An authority is a host in lower case, with its port unless that is the default of the scheme. Source: RFC 9421 §2.2.3.
 */
export function listAuthorities(url: string, further: readonly string[] = []): string[] {
  const own = parseUrl(url)?.host
  return own === undefined ? [...further] : [own, ...further]
}
