/** The steps of the erasure of an account, in order; until the first is done, the account can still be kept. */
export const ERASURE_STEPS = ['identity', 'agents', 'endpoints', 'rows', 'records'] as const
