import type { AttemptRule } from './createAttemptCounter.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** What is counted of people who sign in and up. Source: api.md "Envelope", Rate budgets. */
export const attemptRules = {
  /** By account and address of the peer: somebody elsewhere cannot lock a person out. */
  login: { name: 'login', max: 10, windowMs: QUARTER_MS, lockMs: QUARTER_MS, lockMostMs: DAY_MS },
  /** Of the second factor, by account: whoever tries has the password or a session already. */
  code: { name: 'code', max: 10, windowMs: QUARTER_MS, lockMs: QUARTER_MS, lockMostMs: DAY_MS },
  /**
   * Of the password in a session, by account; apart from codes, because a right password would forgive wrong codes.
   */
  password: { name: 'password', max: 10, windowMs: QUARTER_MS, lockMs: QUARTER_MS, lockMostMs: DAY_MS },
  /** Registrations that found the address taken, by address of the peer; each tells that there is an account. */
  taken: { name: 'taken', max: 10, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS, lockMostMs: DAY_MS },
} as const satisfies Record<string, AttemptRule>
