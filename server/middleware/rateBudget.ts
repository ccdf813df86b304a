import { apiError } from '../errors.ts'

/** The budgets against which calls count. */
export type BudgetName = 'verify' | 'api' | 'login' | 'public' | 'outreach' | 'metrics' | 'challenge'

/** Maximum calls per window. */
export type BudgetRule = { name: string; max: number; windowSeconds: number }

/** Whom a call counts for. */
export type BudgetHolder = {
  /** The key, session, signer, agent or address that calls. */
  caller: string
  /** The person behind an API key, whatever key they use; otherwise the caller. */
  account: string
  /** Address of the caller, as found by `createCallerAddress`. */
  ip: string
  /** Whether the caller is an account that is signed in. */
  isSession: boolean
}

/** A caller's window: calls so far, and its end in epoch milliseconds. */
type RateWindow = { taken: number; endsAt: number }

/**
 * Counts a call in the window of each rule's caller, in order and up to the first window that has no room: a refused call
 * uses up nothing of the budgets behind. A window starts with its first call.
 *
 * @returns The windows in which the call was counted.
 */
export type TakeFromWindows = (
  rules: readonly BudgetRule[],
  callers: readonly string[],
  now: number,
) => RateWindow[] | Promise<RateWindow[]>

type Headers = Record<string, string>

export type RateBudget<Caller = string> = {
  /**
   * Counts a call of the caller and returns headers with the remaining budget: synchronously if only this process counts,
   * otherwise as a promise.
   *
   * @throws ApiError RATE_LIMITED with `Retry-After` when the budget is exhausted.
   */
  take(caller: Caller, now: number): Headers | Promise<Headers>
}

/** Maximum callers in memory per rule; beyond it, the oldest window is dropped. */
const MAX_CALLERS = 100_000

/** A budget of one rule. @param takeFromWindows By default, the memory of this process. */
export function createRateBudget(rule: BudgetRule, takeFromWindows?: TakeFromWindows): RateBudget {
  const nested = createNestedBudget([rule], takeFromWindows)
  return { take: (caller, now) => nested.take([caller], now) }
}

/**
 * A budget of several rules that all have to admit a call, each for a caller of its own: the key, its account, its network.
 *
 * The headers describe the rule that leaves the fewest calls, so that a caller that heeds them is never refused.
 *
 * Headers: IETF draft "RateLimit header fields for HTTP" (`RateLimit-Policy`, `RateLimit`); `Spec: Errors` 429.
 */
export function createNestedBudget(
  rules: readonly BudgetRule[],
  takeFromWindows: TakeFromWindows = createWindows(rules),
): RateBudget<readonly string[]> {
  const policies = rules.map((rule) => ({
    ...rule,
    text: `"${rule.name}";q=${rule.max};w=${rule.windowSeconds}`,
  }))
  const headersOf = (windows: readonly RateWindow[], now: number): Headers => {
    let least = 0
    let left = Number.POSITIVE_INFINITY
    for (let nth = 0; nth < windows.length; nth += 1) {
      const leftHere = (policies[nth]?.max ?? 0) - (windows[nth]?.taken ?? 0)
      if (leftHere >= left) continue
      least = nth
      left = leftHere
    }
    const { name, text } = policies[least] ?? { name: '', text: '' }
    const seconds = Math.max(1, Math.ceil(((windows[least]?.endsAt ?? now) - now) / 1000))
    const headers = {
      'RateLimit-Policy': text,
      RateLimit: `"${name}";r=${Math.max(0, left)};t=${seconds}`,
    }
    if (left < 0) throw apiError('RATE_LIMITED', { headers: { ...headers, 'Retry-After': String(seconds) } })
    return headers
  }
  return {
    take(callers, now) {
      const windows = takeFromWindows(rules, callers, now)
      return windows instanceof Promise
        ? windows.then((counted) => headersOf(counted, now))
        : headersOf(windows, now)
    },
  }
}

/** The memory of one budget. */
function createWindows(rules: readonly BudgetRule[]): TakeFromWindows {
  const memory = rules.map((rule) => ({ rule, windows: new Map<string, RateWindow>() }))
  return (_rules, callers, now) => {
    const counted: RateWindow[] = []
    for (const { rule, windows } of memory) {
      const window = takeFrom(windows, rule, callers[counted.length] ?? '', now)
      counted.push(window)
      if (window.taken > rule.max) break
    }
    return counted
  }
}

function takeFrom(
  windows: Map<string, RateWindow>,
  rule: BudgetRule,
  caller: string,
  now: number,
): RateWindow {
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
