import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { AttemptStore, Attempts } from '../../store/recorder/attemptStore.ts'
import { exhaustedHeaders } from '../exhaustedHeaders.ts'

/** Maximum attempts in a window, and the duration of the lock that follows. */
export type AttemptRule = { name: string; max: number; windowMs: number; lockMs: number; lockMostMs: number }

export type CountedAttempt =
  | { isAllowed: true }
  /** `isNew`: this attempt caused the lock. */
  | { isAllowed: false; isNew: boolean; rule: AttemptRule; retryAfterSeconds: number }

export type AttemptCounter = ReturnType<typeof createAttemptCounter>

type Trx = Parameters<AttemptStore['put']>[0]

/** After this long without a lock, the next one is short again. */
const FORGET_MS = 24 * 60 * 60 * 1000

/**
 * Creates a counter of attempts at something that must not be guessed; each consecutive lock lasts twice as long as the
 * previous one.
 *
 * It returns a result instead of throwing, because the count must be committed; `refuseAttempt` throws. Subjects are stored
 * as hashes, because people also type addresses that have no account here into a sign-in form.
 */
export function createAttemptCounter(store: AttemptStore, rule: AttemptRule) {
  const keyOf = (subject: string) => sha256Hex(`${rule.name} ${subject}`)
  return {
    /** Counts an attempt before it is made, so that parallel attempts get no more tries than sequential ones. */
    async count(trx: Trx, subject: string, now: number): Promise<CountedAttempt> {
      const key = keyOf(subject)
      const before = await store.read(trx, key)
      const held = before && before.forgetAt > now ? before : unused(rule, now)
      if (held.lockedUntil > now) return locked(rule, held, now, false)
      const current =
        held.windowEndsAt > now ? held : { ...held, taken: 0, windowEndsAt: now + rule.windowMs }
      const isAllowed = current.taken < rule.max
      const next = isAllowed ? { ...current, taken: current.taken + 1 } : lockAttempts(rule, current, now)
      await store.put(trx, key, next, now)
      return isAllowed ? { isAllowed } : locked(rule, next, now, true)
    },

    /** Whether another attempt would be refused; counts none. */
    async look(trx: Trx, subject: string, now: number): Promise<CountedAttempt> {
      const held = await store.read(trx, keyOf(subject))
      return held && held.lockedUntil > now ? locked(rule, held, now, false) : { isAllowed: true }
    },

    /** Resets the count after a successful attempt. */
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

function locked(rule: AttemptRule, { lockedUntil }: Attempts, now: number, isNew: boolean): CountedAttempt {
  return { isAllowed: false, isNew, rule, retryAfterSeconds: Math.ceil((lockedUntil - now) / 1000) }
}

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** The limits on attempts to sign in and up. */
export const attemptRules = {
  /** By account and peer address, so that nobody can lock a person out from elsewhere. */
  login: { name: 'login', max: 10, windowMs: QUARTER_MS, lockMs: QUARTER_MS, lockMostMs: DAY_MS },
  /** Second factor, by account: anyone who tries already has the password or a session. */
  code: { name: 'code', max: 10, windowMs: QUARTER_MS, lockMs: QUARTER_MS, lockMostMs: DAY_MS },
  /**
   * Password within a session, by account; separate from codes, because a correct password would reset the count of wrong
   * codes.
   */
  password: { name: 'password', max: 10, windowMs: QUARTER_MS, lockMs: QUARTER_MS, lockMostMs: DAY_MS },
  /** Registrations with a taken address, by peer address, because each reveals that an account exists. */
  taken: { name: 'taken', max: 10, windowMs: 60 * MINUTE_MS, lockMs: 60 * MINUTE_MS, lockMostMs: DAY_MS },
} as const satisfies Record<string, AttemptRule>

/** Throws if the counted attempt exceeds the limit. @throws ApiError RATE_LIMITED with the headers of the rule. */
export function refuseAttempt(counted: CountedAttempt): void {
  if (counted.isAllowed) return
  const { name, max, windowMs } = counted.rule
  const rule = { name: `${name}-attempts`, max, windowSeconds: windowMs / 1000 }
  throw apiError('RATE_LIMITED', { headers: exhaustedHeaders(rule, counted.retryAfterSeconds) })
}
