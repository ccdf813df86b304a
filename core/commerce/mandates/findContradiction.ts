import { parseUrl } from '../../url/url.ts'
import type { MandateFault, MandateInput } from './mandateFinding.ts'

/** What a mandate allows, in the units of a request. */
export type MandateTerms = {
  /** In whole units of the currency. */
  amount: number | string
  /** The amount is the most that may be paid, and not exactly what is paid. */
  isMaximum?: boolean
  /** Upper-case code; undefined for a token that is not known. */
  currency: string | undefined
  /** The names of the payee: an account, an identifier of the merchant, the identifier of its key. */
  payees: readonly string[]
  website?: string | undefined
  /** Unix seconds. */
  notBefore?: number | undefined
  /** Unix seconds; the mandate is no longer valid from then on. */
  expiresAt?: number | undefined
}

const SKEW_SECONDS = 60

/**
 * Compares the terms of a mandate with the request that presents it: time, amount, currency and merchant; null if the
 * request is within them.
 *
 * What the request does not state is not compared. The payee that the counterparty states is compared before its host,
 * because only the counterparty knows under which names it is paid.
 */
export function findContradiction(
  terms: MandateTerms,
  { mandate, request, endpoint, now }: MandateInput,
): MandateFault | null {
  const { notBefore, expiresAt } = terms
  const seconds = now / 1000
  if (expiresAt !== undefined && expiresAt <= seconds) return 'expired'
  if (notBefore !== undefined && notBefore > seconds + SKEW_SECONDS) return 'not_yet_valid'
  if (request.currency !== undefined && request.currency !== terms.currency) return 'other_currency'
  if (request.transactionValue !== undefined) {
    const [stated, allowed] = [roundAmount(request.transactionValue), roundAmount(terms.amount)]
    if (stated > allowed || (stated < allowed && !terms.isMaximum)) return 'other_amount'
  }
  return isOtherMerchant(terms, mandate.payee, endpoint.host) ? 'other_merchant' : null
}

/** Keeps the 15 digits that a double is sure to hold, because a price added up from others differs in further ones. */
function roundAmount(amount: number | string): number {
  return Number(Number(amount).toPrecision(15))
}

function isOtherMerchant(
  { payees, website }: MandateTerms,
  payee: string | undefined,
  host: string | undefined,
): boolean {
  const site = website === undefined ? undefined : hostOf(website)
  if (payee !== undefined) {
    const isNamed = payees.some((name) => plainName(name) === plainName(payee))
    return !isNamed && (site === undefined || !isWithin(hostOf(payee) ?? payee, site))
  }
  return site !== undefined && host !== undefined && !isWithin(host, site)
}

/** Addresses have two spellings, with and without their checksum. */
function plainName(name: string): string {
  return /^0x[0-9a-f]{40}$/i.test(name) ? name.toLowerCase() : name
}

function hostOf(url: string): string | undefined {
  return parseUrl(/^https?:\/\//i.test(url) ? url : `https://${url}`)?.hostname.replace(/^www\./, '')
}

/** The site itself, or a subdomain of it. */
function isWithin(host: string, site: string): boolean {
  return host === site || host.endsWith(`.${site}`)
}
