/** How much a provider's statement about an e-mail address proves. */
export type AddressStanding = 'denied' | 'unproven' | 'proven' | 'authoritative'

type Claims = Readonly<Record<string, unknown>>

/** Domains of mailboxes that Google operates. */
const GOOGLE_DOMAINS = new Set(['gmail.com', 'googlemail.com'])
/** Domains of mailboxes that Microsoft operates, for accounts of its one consumer tenant. */
const MICROSOFT_DOMAINS = new Set(['outlook.com', 'hotmail.com', 'live.com', 'msn.com'])
const MICROSOFT_CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Classifies the address in an ID token: whether it is proven to belong to the person who signed in, and whether the
 * provider operates the mailbox, so that nobody else can read it now or later.
 *
 * Google proves addresses with `email_verified`, and is authoritative for its own mailboxes and for those of a domain that
 * it manages for the account (`hd`). Microsoft lets administrators of any tenant enter any address, and only `xms_edov`
 * says whether the domain is theirs; without this optional claim, which few tenants send, the address is unproven. It is
 * authoritative for the mailboxes of consumers. An address that the provider itself calls unverified is denied.
 *
 * Source: OpenID Connect Core 1.0 §5.1, §5.7; Google "Verify the Google ID token"; Microsoft "Optional claims reference".
 */
export function classifyAddress(provider: string, email: string, claims: Claims): AddressStanding {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (provider === 'google') {
    if (claims.email_verified !== true) return 'denied'
    const isOwn = GOOGLE_DOMAINS.has(domain) || String(claims.hd ?? '').toLowerCase() === domain
    return isOwn ? 'authoritative' : 'proven'
  }
  if (provider !== 'microsoft' || claims.email_verified === false) return 'denied'
  if (claims.xms_edov === undefined) return 'unproven'
  if (!isTrue(claims.xms_edov)) return 'denied'
  const isConsumer = claims.tid === MICROSOFT_CONSUMERS
  return isConsumer && MICROSOFT_DOMAINS.has(domain) ? 'authoritative' : 'proven'
}

/** The claim may be a boolean, a number or a string. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 1 || claim === '1' || claim === 'true'
}
