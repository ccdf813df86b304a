import { networkOf, siteOf } from '@svc/core/url/ipAddress.ts'
import type { Config } from '../config.ts'
import {
  type BudgetHolder,
  type BudgetName,
  type BudgetRule,
  createRateBudget,
  type RateBudget,
} from '../middleware/rateBudget.ts'
import type { BudgetsOf } from './composeDatabase.ts'
import { nestInSite } from './nestInSite.ts'

/** Callers share an address or a network more often than they share a key or an account, so these budgets are larger. */
const SHARED_FACTOR = 5
/** One page of the dashboard asks for as much as a program does with several calls; the overview makes eleven. */
const PAGES_FACTOR = 5
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
 * Verifications are budgeted per key, per account and per network, so that many keys of one person, or many accounts behind
 * one line, do not multiply them. So are other calls, with separate budgets for accounts that are signed in. What anyone may
 * do without an account is budgeted per address and site.
 */
export function composeBudgets(
  rates: Config['rates'],
  { budgetOf, nestedBudgetOf }: BudgetsOf,
): Record<BudgetName, RateBudget<BudgetHolder>> {
  const ofCaller = (rule: BudgetRule) => {
    const budget = budgetOf(rule)
    return { take: ({ caller }: BudgetHolder, now: number) => budget.take(caller, now) }
  }
  const ofAddress = (rule: BudgetRule) => {
    const nested = nestedBudgetOf(nestInSite(rule))
    return { take: ({ caller, ip }: BudgetHolder, now: number) => nested.take([caller, siteOf(ip)], now) }
  }
  const perMinute = (name: string, max: number) => ({ name, max, windowSeconds: 60 })
  const ofPeople = (name: string, perKey: number, perAccount: number) => {
    const nested = nestedBudgetOf([
      perMinute(name, perKey),
      perMinute(`${name}-account`, perAccount),
      perMinute(`${name}-network`, perAccount * SHARED_FACTOR),
    ])
    return {
      take: ({ caller, account, ip }: BudgetHolder, now: number) =>
        nested.take([caller, account, networkOf(ip)], now),
    }
  }
  const ofKey = ofPeople('api', rates.apiPerMinute, rates.apiPerMinutePerAccount)
  const ofSession = nestedBudgetOf([
    perMinute('api-session', rates.apiPerMinute * PAGES_FACTOR),
    perMinute('api-session-network', rates.apiPerMinutePerAccount * SHARED_FACTOR),
  ])
  const metrics = createRateBudget(METRICS)
  return {
    verify: ofPeople('verify', rates.verifyPerMinute, rates.verifyPerMinutePerAccount),
    api: {
      take: (holder, now) =>
        holder.isSession
          ? ofSession.take([holder.account, networkOf(holder.ip)], now)
          : ofKey.take(holder, now),
    },
    public: ofCaller(perMinute('public', rates.apiPerMinute * SHARED_FACTOR)),
    // For all accounts together; each account has its own, smaller limit.
    login: ofAddress({ name: 'login', max: rates.signInsPerAddress, windowSeconds: SIGN_IN_SECONDS }),
    challenge: ofAddress(CHALLENGE),
    metrics: { take: ({ caller }, now) => metrics.take(caller, now) },
    outreach: ofAddress({
      name: 'request-registration',
      max: rates.outreachPerHour,
      windowSeconds: 60 * 60,
    }),
  }
}
