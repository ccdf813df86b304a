import type { DecisionEngine } from './decisionEngine.ts'
import { wallClock } from './wallClock.ts'

/** The limit: the rules of this one policy written by hand, with a cached zone offset. */
export function createHandWrittenEngine(): DecisionEngine {
  const categories = new Set(['shopping', 'read_data'])
  const allowed = new Set(['shopping.search', 'shopping.checkout', 'read_data.list'])
  const jurisdictions = new Set(['DE', 'FR', 'US'])
  const order = /^\/api\/orders\/[^/]+$/
  return {
    name: 'hand-written function',
    decide(request, now) {
      const [category, action] = request.purpose.split(':')
      const qualified = `${category}.${action}`
      const { weekday, hour } = wallClock(now)
      return (
        categories.has(category ?? '') &&
        allowed.has(qualified) &&
        qualified !== 'shopping.refund' &&
        weekday >= 1 &&
        weekday <= 5 &&
        hour >= 8 &&
        hour < 20 &&
        request.transactionValue < 100 &&
        request.currency === 'EUR' &&
        jurisdictions.has(request.jurisdiction) &&
        (request.resource.startsWith('/api/products/') || order.test(request.resource))
      )
    },
  }
}
