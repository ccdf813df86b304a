/** From when to when something is valid, in epoch milliseconds; null is open. */
export type Validity = { validFrom: number | null; expiresAt: number | null }
