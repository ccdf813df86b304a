import { addDecimals } from '@svc/core/decimal.ts'
import type { Knex } from 'knex'

/** A sum in one currency; null if none was stated. */
export type Spent = { currency: string | null; amount: string }

export type SpendStore = ReturnType<typeof createSpendStore>

/** Reads what the projection has summed of agents' purchases. */
export function createSpendStore(query: Knex) {
  return {
    /**
     * Reads what an agent has spent from a day on (days since 1970, UTC), in the order of currencies: at one endpoint, by
     * its internal id, or at all of them.
     */
    async since(fromDay: number, agentId: string, endpointId: string | 'all'): Promise<Spent[]> {
      const rows: { currency: string; amount: string | number }[] = await query('feed.agent_spend')
        .select('currency', 'amount')
        .where({ agent_id: agentId, endpoint_id: endpointId === 'all' ? '' : endpointId })
        .where('day', '>=', fromDay)
        .orderBy('currency')
      const sums = new Map<string, string>()
      for (const { currency, amount } of rows)
        sums.set(currency, addDecimals(sums.get(currency) ?? 0, amount))
      return [...sums].map(([currency, amount]) => ({ currency: currency || null, amount }))
    },
  }
}
