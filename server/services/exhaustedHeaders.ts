/** A limit that a use case counts itself: its name in the headers, and how often within a window. */
type Limit = { name: string; max: number; windowSeconds: number }

/**
 * The headers of a 429 by a limit that is counted in the database, in the form of the rate budgets.
 *
 * Source: IETF draft "RateLimit header fields for HTTP"; RFC 9110 §10.2.3.
 */
export function exhaustedHeaders({ name, max, windowSeconds }: Limit, retryAfterSeconds: number) {
  return {
    'RateLimit-Policy': `"${name}";q=${max};w=${windowSeconds}`,
    RateLimit: `"${name}";r=0;t=${retryAfterSeconds}`,
    'Retry-After': String(retryAfterSeconds),
  }
}
