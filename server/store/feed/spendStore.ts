import { addDecimals } from '@svc/core/decimal.ts'
import type { Knex } from 'knex'

/** A sum in one currency, null if none was stated, and of how many purchases. */
export type Spent = { currency: string | null; amount: string; purchases: number }

export type SpendStore = ReturnType<typeof createSpendStore>

/** Reads what the projection has summed of agents' purchases. */
export function createSpendStore(query: Knex) {
  return {
    /**
     * Reads what an agent has spent from a day on (days since 1970, UTC), in the order of currencies: at one endpoint, by
     * its internal id, or at all of them.
     */
    async since(fromDay: number, agentId: string, endpointId: string | 'all'): Promise<Spent[]> {
      const rows: { currency: string; amount: string | number; purchases: number }[] = await query(
        'feed.agent_spend',
      )
        .select('currency', 'amount', 'purchases')
        .where({ agent_id: agentId, endpoint_id: endpointId === 'all' ? '' : endpointId })
        .where('day', '>=', fromDay)
        .orderBy('currency')
      const sums = new Map<string, { amount: string; purchases: number }>()
      for (const { currency, amount, purchases } of rows) {
        const sum = sums.get(currency) ?? { amount: '0', purchases: 0 }
        const more = { amount: addDecimals(sum.amount, amount), purchases: sum.purchases + purchases }
        sums.set(currency, more)
      }
      return [...sums].map(([currency, sum]) => ({ currency: currency || null, ...sum }))
    },
  }
}
