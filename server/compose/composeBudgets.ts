import type { Config } from '../config.ts'
import {
  type BudgetName,
  type BudgetRule,
  createRateBudget,
  type RateBudget,
} from '../middleware/rateBudget.ts'

/** Anonymous callers share an address more often than callers share a key, so their budget is larger. */
const PUBLIC_FACTOR = 5
/** The window of sign-ins per address. */
const SIGN_IN_SECONDS = 15 * 60

/**
 * Nonces and passkey options per address. They prove nothing and a page may ask for several before a sign-in, so they do not
 * use up the sign-ins of a network; each is stored, so there is a limit.
 */
const CHALLENGE = { name: 'challenge', max: 300, windowSeconds: SIGN_IN_SECONDS }

/**
 * Readers of the metrics, by address. Reading takes 16 ms of the event loop, so it has a budget. Each process counts its
 * own readers, so that reading does not depend on the database.
 */
const METRICS = { name: 'metrics', max: 600, windowSeconds: 60 }

/**
 * Composes the rate budgets of the API.
 *
 * @param budgetOf Creates a budget of this process, or across processes.
 */
export function composeBudgets(
  rates: Config['rates'],
  budgetOf: (rule: BudgetRule) => RateBudget = createRateBudget,
): Record<BudgetName, RateBudget> {
  const perMinute = (name: string, max: number) => budgetOf({ name, max, windowSeconds: 60 })
  return {
    verify: perMinute('verify', rates.verifyPerMinute),
    api: perMinute('api', rates.apiPerMinute),
    public: perMinute('public', rates.apiPerMinute * PUBLIC_FACTOR),
    // For all accounts together; each account has its own, smaller limit.
    login: budgetOf({ name: 'login', max: rates.signInsPerAddress, windowSeconds: SIGN_IN_SECONDS }),
    challenge: budgetOf(CHALLENGE),
    metrics: createRateBudget(METRICS),
    outreach: budgetOf({
      name: 'request-registration',
      max: rates.outreachPerHour,
      windowSeconds: 60 * 60,
    }),
  }
}
