/** How long an attempt is its process's own: longer than a receiver may take, so that it runs out only when one died. */
export const CLAIM_MS = 30_000
