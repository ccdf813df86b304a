import jsonLogic, { type RulesLogic } from 'json-logic-js'
import type { DecisionEngine } from './decisionEngine.ts'
import { wallClock } from './wallClock.ts'

const RESOURCE = { var: 'resource' }
const RULE: RulesLogic = {
  and: [
    { in: [{ var: 'purpose' }, ['shopping:search', 'shopping:checkout', 'read_data:list']] },
    { '!==': [{ var: 'purpose' }, 'shopping:refund'] },
    { '<=': [1, { var: 'weekday' }, 5] },
    { '<=': [8, { var: 'hour' }] },
    { '<': [{ var: 'hour' }, 20] },
    { '<': [{ var: 'transactionValue' }, 100] },
    { '===': [{ var: 'currency' }, 'EUR'] },
    { in: [{ var: 'jurisdiction' }, ['DE', 'FR', 'US']] },
    {
      or: [
        { '===': [{ substr: [RESOURCE, 0, 14] }, '/api/products/'] },
        {
          and: [
            { '===': [{ substr: [RESOURCE, 0, 12] }, '/api/orders/'] },
            { '!': { in: ['/', { substr: [RESOURCE, 12] }] } },
          ],
        },
      ],
    },
  ],
}

/** Builds the policy as a JsonLogic rule, which the library interprets at each decision because it cannot compile it. */
export function createJsonLogicEngine(): DecisionEngine {
  return {
    name: 'json-logic',
    decide: (request, now) => jsonLogic.apply(RULE, { ...request, ...wallClock(now) }) === true,
  }
}
