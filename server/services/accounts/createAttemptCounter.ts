import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { AttemptStore, Attempts } from '../../store/recorder/attemptStore.ts'

/** How often something may be tried in a window, and how long it is locked once that is used up. */
export type AttemptRule = { name: string; max: number; windowMs: number; lockMs: number; lockMostMs: number }

export type CountedAttempt =
  | { isAllowed: true }
  /** `isNew`: this try is the one that locked it. */
  | { isAllowed: false; isNew: boolean; retryAfterSeconds: number }

export type AttemptCounter = ReturnType<typeof createAttemptCounter>

type Trx = Parameters<AttemptStore['put']>[0]

/** After this long without a lock the next one is short again. */
const FORGET_MS = 24 * 60 * 60 * 1000

/**
 * Counts tries at what must not be guessed; each lock in a row lasts twice as long as the one before.
 *
 * It answers and does not throw, because the count has to be committed; `refuseAttempt` refuses. What was tried is kept
 * as a hash: a sign-in form is also given addresses that have no account here.
 */
export function createAttemptCounter(store: AttemptStore, rule: AttemptRule) {
  const keyOf = (subject: string) => sha256Hex(`${rule.name} ${subject}`)
  return {
    /** Takes one try before it is made, so that many at once are no more than many in a row. */
    async count(trx: Trx, subject: string, now: number): Promise<CountedAttempt> {
      const key = keyOf(subject)
      const before = await store.read(trx, key)
      const held = before && before.forgetAt > now ? before : unused(rule, now)
      if (held.lockedUntil > now) return locked(held, now, false)
      const current =
        held.windowEndsAt > now ? held : { ...held, taken: 0, windowEndsAt: now + rule.windowMs }
      const isAllowed = current.taken < rule.max
      const next = isAllowed ? { ...current, taken: current.taken + 1 } : lockAttempts(rule, current, now)
      await store.put(trx, key, next, now)
      return isAllowed ? { isAllowed } : locked(next, now, true)
    },

    /** Whether another try would be refused; takes none. */
    async look(trx: Trx, subject: string, now: number): Promise<CountedAttempt> {
      const held = await store.read(trx, keyOf(subject))
      return held && held.lockedUntil > now ? locked(held, now, false) : { isAllowed: true }
    },

    /** Begins anew, because a try was right. */
    clear: (trx: Trx, subject: string): Promise<void> => store.clear(trx, keyOf(subject)),
  }
}

function unused(rule: AttemptRule, now: number): Attempts {
  return { taken: 0, windowEndsAt: now + rule.windowMs, locks: 0, lockedUntil: 0, forgetAt: now + FORGET_MS }
}

function lockAttempts(rule: AttemptRule, { locks }: Attempts, now: number): Attempts {
  const lockedUntil = now + Math.min(rule.lockMostMs, rule.lockMs * 2 ** locks)
  return {
    taken: 0,
    windowEndsAt: lockedUntil,
    locks: locks + 1,
    lockedUntil,
    forgetAt: lockedUntil + FORGET_MS,
  }
}

function locked({ lockedUntil }: Attempts, now: number, isNew: boolean): CountedAttempt {
  return { isAllowed: false, isNew, retryAfterSeconds: Math.ceil((lockedUntil - now) / 1000) }
}

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

/** Refuses a try that was counted and is one too many. @throws ApiError RATE_LIMITED with `Retry-After`. */
export function refuseAttempt(counted: CountedAttempt): void {
  if (counted.isAllowed) return
  throw apiError('RATE_LIMITED', { headers: { 'Retry-After': String(counted.retryAfterSeconds) } })
}
