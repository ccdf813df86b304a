/** A validity period in epoch milliseconds; null means unlimited. */
export type Validity = { validFrom: number | null; expiresAt: number | null }
