import type { Config } from '../config.ts'
import {
  type BudgetName,
  type BudgetRule,
  createRateBudget,
  type RateBudget,
} from '../middleware/rateBudget.ts'

/** Callers without a credential share an address more often than a key, so theirs is wider. */
const PUBLIC_FACTOR = 5
/** Tries to sign in from one address, whatever the account; one account has its own, tighter budget. */
const LOGIN = { name: 'login', max: 100, windowSeconds: 15 * 60 }

/**
 * The rate budgets of the border.
 *
 * @param budgetOf Makes a budget of this process, or of all.
 * Source: api.md "Envelope", Rate budgets.
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
    login: budgetOf(LOGIN),
    outreach: budgetOf({
      name: 'request-registration',
      max: rates.outreachPerHour,
      windowSeconds: 60 * 60,
    }),
  }
}
