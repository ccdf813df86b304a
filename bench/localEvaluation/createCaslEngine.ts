import { createMongoAbility, subject } from '@casl/ability'
import type { DecisionEngine } from './decisionEngine.ts'
import { wallClock } from './wallClock.ts'

/** Builds the policy as one CASL ability, with conditions in Mongo operators, which CASL compiles on first use. */
export function createCaslEngine(): DecisionEngine {
  const conditions = {
    weekday: { $in: [1, 2, 3, 4, 5] },
    hour: { $gte: 8, $lt: 20 },
    transactionValue: { $lt: 100 },
    currency: 'EUR',
    jurisdiction: { $in: ['DE', 'FR', 'US'] },
    resource: { $regex: /^\/api\/(?:products\/.*|orders\/[^/]+)$/ },
  }
  const ability = createMongoAbility([
    { action: ['shopping:search', 'shopping:checkout', 'read_data:list'], subject: 'Request', conditions },
    { action: 'shopping:refund', subject: 'Request', inverted: true },
  ])
  return {
    name: 'CASL',
    decide: (request, now) =>
      ability.can(request.purpose, subject('Request', { ...request, ...wallClock(now) })),
  }
}
