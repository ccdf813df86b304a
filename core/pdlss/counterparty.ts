import { parseUrl } from '../url/url.ts'

/** A counterparty an agent's mandate names: one host, all hosts below one, or a merchant account. */
export type Counterparty =
  | { kind: 'host'; host: string }
  | { kind: 'subdomains'; suffix: string }
  | { kind: 'merchant'; merchantId: string }

/**
 * Reads an entry of `scope.counterparties`, or answers `undefined` where it is none.
 *
 * A host name stands for that host only; `*.example.org` for every host below it. Host names are brought to the form that URLs
 * use (lower case, IDNA ASCII). WHATWG URL, host parsing.
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
 * The entry of `scope.counterparties` that a URL, a host name, `*.host` or `merchant:<id>` stands for, or undefined where
 * there is none, as for an address of IPv6.
 */
export function counterpartyOf(entry: string): string | undefined {
  const name = /^https?:\/\//i.test(entry) ? URL.parse(entry)?.hostname : entry
  if (name === undefined) return undefined
  const found = parseCounterparty(name)
  if (found?.kind === 'host') return found.host
  if (found?.kind === 'subdomains') return `*${found.suffix}`
  return found === undefined ? undefined : name
}
