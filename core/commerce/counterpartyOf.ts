import { parseCounterparty } from '../pdlss/parseCounterparty.ts'

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
