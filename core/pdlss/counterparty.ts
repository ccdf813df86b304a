import { parseUrl } from '../url/url.ts'

/** A counterparty in an agent's boundary: one host, all its subdomains, or a merchant account. */
export type Counterparty =
  | { kind: 'host'; host: string }
  | { kind: 'subdomains'; suffix: string }
  | { kind: 'merchant'; merchantId: string }

/**
 * Parses an entry of `scope.counterparties`; undefined when the text is not one.
 *
 * A host name matches that host only, and `*.example.org` every host below it. Host names are converted to the form in URLs
 * (lower case, IDNA ASCII). Source: WHATWG URL, host parsing.
 */
export function parseCounterparty(entry: string): Counterparty | undefined {
  if (entry.startsWith('merchant:')) {
    const merchantId = entry.slice('merchant:'.length)
    return /^[^\p{Cc}\s]{1,200}$/u.test(merchantId) ? { kind: 'merchant', merchantId } : undefined
  }
  const isWildcard = entry.startsWith('*.')
  const host = hostOf(isWildcard ? entry.slice(2) : entry)
  if (host === undefined) return undefined
  return isWildcard ? { kind: 'subdomains', suffix: `.${host}` } : { kind: 'host', host }
}

function hostOf(text: string): string | undefined {
  if (!/^[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*$/u.test(text)) return undefined
  const url = parseUrl(`http://${text}`)
  return url === null || url.hostname === '' ? undefined : url.hostname
}

/**
 * The entry of `scope.counterparties` for a URL, a host name, `*.host` or `merchant:<id>`; undefined when there is none, as
 * for an IPv6 address.
 */
export function counterpartyOf(entry: string): string | undefined {
  const name = /^https?:\/\//i.test(entry) ? URL.parse(entry)?.hostname : entry
  if (name === undefined) return undefined
  const found = parseCounterparty(name)
  if (found?.kind === 'host') return found.host
  if (found?.kind === 'subdomains') return `*${found.suffix}`
  return found === undefined ? undefined : name
}
