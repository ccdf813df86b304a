import { apiError } from '../errors.ts'

/** The budgets that calls are counted in. */
export type BudgetName = 'verify' | 'api' | 'login' | 'public' | 'outreach'

/** How many calls a budget allows in its window. */
export type BudgetRule = { name: string; max: number; windowSeconds: number }

/** A caller's window: calls taken in it so far, and its end in epoch milliseconds. */
type RateWindow = { taken: number; endsAt: number }

/** Where windows are counted; takes one call out of the caller's, which begins with its first. */
export type TakeFromWindow = (
  rule: BudgetRule,
  caller: string,
  now: number,
) => RateWindow | Promise<RateWindow>

type Headers = Record<string, string>

export type RateBudget = {
  /**
   * Takes one call out of the caller's budget and returns the headers that say what is left: at once when this process
   * alone counts, later when several do.
   *
   * @throws ApiError RATE_LIMITED with `Retry-After` when nothing is left.
   */
  take(caller: string, now: number): Headers | Promise<Headers>
}

/** Callers remembered at once; past it the oldest window is forgotten. */
const MAX_CALLERS = 100_000

/**
 * A budget of fixed windows, each beginning with the caller's first call in it.
 *
 * @param takeFromWindow The memory of this process unless given.
 * Headers: IETF draft "RateLimit header fields for HTTP" (`RateLimit-Policy`, `RateLimit`); `Spec: Errors` 429.
 */
export function createRateBudget(rule: BudgetRule, takeFromWindow = createWindows()): RateBudget {
  const policy = `"${rule.name}";q=${rule.max};w=${rule.windowSeconds}`
  const headersOf = ({ taken, endsAt }: RateWindow, now: number): Headers => {
    const seconds = Math.max(1, Math.ceil((endsAt - now) / 1000))
    const headers = {
      'RateLimit-Policy': policy,
      RateLimit: `"${rule.name}";r=${Math.max(0, rule.max - taken)};t=${seconds}`,
    }
    if (taken > rule.max) {
      throw apiError('RATE_LIMITED', { headers: { ...headers, 'Retry-After': String(seconds) } })
    }
    return headers
  }
  return {
    take(caller, now) {
      const window = takeFromWindow(rule, caller, now)
      return window instanceof Promise
        ? window.then((counted) => headersOf(counted, now))
        : headersOf(window, now)
    },
  }
}

function createWindows(): TakeFromWindow {
  const windows = new Map<string, RateWindow>()
  return (rule, caller, now) => {
    let window = windows.get(caller)
    if (!window || window.endsAt <= now) {
      windows.delete(caller)
      if (windows.size >= MAX_CALLERS) windows.delete(windows.keys().next().value ?? '')
      window = { endsAt: now + rule.windowSeconds * 1000, taken: 0 }
      windows.set(caller, window)
    }
    window.taken += 1
    return window
  }
}
