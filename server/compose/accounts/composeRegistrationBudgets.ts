import { networkOf } from '@svc/core/url/ipAddress.ts'
import type { Config } from '../../config.ts'
import type { RegistrationBudgets } from '../../services/agents/registration/registerAgent.ts'
import type { BudgetsOf } from '../composeDatabase.ts'

const HOUR_SECONDS = 60 * 60

/**
 * Composes the budgets of registrations, whose identities the relayer pays for: the same number for an account and for a
 * network, because every new key is a new account.
 */
export function composeRegistrationBudgets(
  { registrationsPerHour: max }: Pick<Config['rates'], 'registrationsPerHour'>,
  { budgetOf }: Pick<BudgetsOf, 'budgetOf'>,
): RegistrationBudgets {
  const ofNetwork = budgetOf({ name: 'registration-network', max, windowSeconds: HOUR_SECONDS })
  return {
    ofNetwork: { take: (ip, now) => ofNetwork.take(networkOf(ip), now) },
    ofAccount: budgetOf({ name: 'registration-account', max, windowSeconds: HOUR_SECONDS }),
  }
}
