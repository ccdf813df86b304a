import { apiError } from '../errors.ts'

/** The budgets against which calls count. */
export type BudgetName = 'verify' | 'api' | 'login' | 'public' | 'outreach' | 'metrics' | 'challenge'

/** Maximum calls per window. */
export type BudgetRule = { name: string; max: number; windowSeconds: number }

/** A caller's window: calls so far, and its end in epoch milliseconds. */
type RateWindow = { taken: number; endsAt: number }

/** Counts a call in the caller's window, which starts with its first call. */
export type TakeFromWindow = (
  rule: BudgetRule,
  caller: string,
  now: number,
) => RateWindow | Promise<RateWindow>

type Headers = Record<string, string>

export type RateBudget = {
  /**
   * Counts a call of the caller and returns headers with the remaining budget: synchronously if only this process counts,
   * otherwise as a promise.
   *
   * @throws ApiError RATE_LIMITED with `Retry-After` when the budget is exhausted.
   */
  take(caller: string, now: number): Headers | Promise<Headers>
}

/** Maximum callers in memory; beyond it, the oldest window is dropped. */
const MAX_CALLERS = 100_000

/**
 * A budget of fixed windows, each of which starts with the caller's first call.
 *
 * @param takeFromWindow By default, the memory of this process.
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
