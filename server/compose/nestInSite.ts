import type { BudgetRule } from '../middleware/rateBudget.ts'

/** A site of IPv6 has many networks, often of several people; this many times as much is still little for an attacker. */
const SITE_FACTOR = 16

/**
 * Nests the budget of an address in that of its site (`siteOf`), for what anyone may do: somebody who has a /48 of IPv6
 * would otherwise have the budgets of 65,536 addresses. For IPv4 the second is that of the same address, and never the first
 * to be used up.
 */
export function nestInSite(rule: BudgetRule): readonly [BudgetRule, BudgetRule] {
  return [rule, { ...rule, name: `${rule.name}-site`, max: rule.max * SITE_FACTOR }]
}
