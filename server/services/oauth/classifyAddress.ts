/** How far a provider's word on an e-mail address goes. */
export type AddressStanding = 'unproven' | 'proven' | 'authoritative'

type Claims = Readonly<Record<string, unknown>>

/** Mailboxes that Google itself hands out. */
const GOOGLE_DOMAINS = new Set(['gmail.com', 'googlemail.com'])
/** Mailboxes that Microsoft itself hands out, to accounts of the one tenant of consumers. */
const MICROSOFT_DOMAINS = new Set(['outlook.com', 'hotmail.com', 'live.com', 'msn.com'])
const MICROSOFT_CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Whether the address in an ID token is proven to be of whoever signed in, and whether the provider is the one that
 * gives the mailbox out: only then nobody else can read it, now as when it was proven.
 *
 * Google proves with `email_verified`, and is authoritative for its own mailboxes and those of the domain that it manages
 * for the account (`hd`). Microsoft lets administrators of any tenant write any address, and says in `xms_edov` alone
 * whether its domain is theirs; it is authoritative for the mailboxes of its consumers.
 *
 * Source: OpenID Connect Core 1.0 §5.1, §5.7; Google "Verify the Google ID token"; Microsoft "Optional claims reference".
 */
export function classifyAddress(provider: string, email: string, claims: Claims): AddressStanding {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (provider === 'google') {
    if (claims.email_verified !== true) return 'unproven'
    const isOwn = GOOGLE_DOMAINS.has(domain) || String(claims.hd ?? '').toLowerCase() === domain
    return isOwn ? 'authoritative' : 'proven'
  }
  if (provider !== 'microsoft' || !isTrue(claims.xms_edov) || claims.email_verified === false) {
    return 'unproven'
  }
  const isConsumer = claims.tid === MICROSOFT_CONSUMERS
  return isConsumer && MICROSOFT_DOMAINS.has(domain) ? 'authoritative' : 'proven'
}

/** The claim comes as a boolean, a number or a text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 1 || claim === '1' || claim === 'true'
}
