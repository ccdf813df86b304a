import { counterpartyOf, parseCounterparty } from '../pdlss/counterparty.ts'

/** A merchant as protocols name it. */
export type Merchant =
  | string
  | {
      readonly id?: string | undefined
      readonly name?: string | undefined
      readonly website?: string | undefined
    }

/**
 * The entry of `scope.counterparties` for a merchant: its host, or `merchant:<id>`; undefined when there is none.
 *
 * Of an object, the website counts before the identifier and the name. A text without a period is not a domain but a name,
 * and so is one with spaces, which are percent-encoded, because an entry has none.
 */
export function merchantEntryOf(merchant: Merchant): string | undefined {
  if (typeof merchant !== 'string') {
    const { id, name, website } = merchant
    if (website !== undefined) return hostEntryOf(website)
    const label = id ?? name
    return label === undefined ? undefined : labelEntryOf(label)
  }
  if (merchant.startsWith('merchant:') || /^https?:\/\//i.test(merchant)) return counterpartyOf(merchant)
  return (merchant.includes('.') ? counterpartyOf(merchant) : undefined) ?? labelEntryOf(merchant)
}

/** Websites may be without a scheme: `shop.io/returns`. */
function hostEntryOf(website: string): string | undefined {
  const found = counterpartyOf(/^https?:\/\//i.test(website) ? website : `https://${website}`)
  return found?.startsWith('merchant:') ? undefined : found
}

function labelEntryOf(label: string): string | undefined {
  const entry = `merchant:${label.trim().replace(/\s/gu, encodeURIComponent)}`
  return parseCounterparty(entry) === undefined ? undefined : entry
}
