import { apiError } from '../errors.ts'

/** How many calls a budget allows in its window. */
export type BudgetRule = { name: string; max: number; windowSeconds: number }

export type RateBudget = {
  /**
   * Takes one call out of the caller's budget and returns the headers that say what is left.
   *
   * @throws ApiError RATE_LIMITED with `Retry-After` when nothing is left.
   */
  take(caller: string, now: number): Record<string, string>
}

/** Callers remembered at once; past it the oldest window is forgotten. */
const MAX_CALLERS = 100_000

/**
 * A budget of fixed windows, each beginning with the caller's first call in it.
 *
 * Headers: IETF draft "RateLimit header fields for HTTP" (`RateLimit-Policy`, `RateLimit`); `Spec: Errors` 429.
 */
export function createRateBudget(rule: BudgetRule): RateBudget {
  const windows = new Map<string, { endsAt: number; taken: number }>()
  const policy = `"${rule.name}";q=${rule.max};w=${rule.windowSeconds}`
  return {
    take(caller, now) {
      let window = windows.get(caller)
      if (!window || window.endsAt <= now) {
        windows.delete(caller)
        if (windows.size >= MAX_CALLERS) windows.delete(windows.keys().next().value ?? '')
        window = { endsAt: now + rule.windowSeconds * 1000, taken: 0 }
        windows.set(caller, window)
      }
      const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
      window.taken += 1
      const headers = {
        'RateLimit-Policy': policy,
        RateLimit: `"${rule.name}";r=${Math.max(0, rule.max - window.taken)};t=${seconds}`,
      }
      if (window.taken > rule.max) {
        throw apiError('RATE_LIMITED', { headers: { ...headers, 'Retry-After': String(seconds) } })
      }
      return headers
    },
  }
}
