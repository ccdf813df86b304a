import { addDecimals } from '@svc/core/decimal.ts'
import type { Knex } from 'knex'

type Sums = {
  /** Of requests that proved the agent; decimal. */
  amount: string
  purchases: number
  /** Of requests that only named the agent, which anyone can do. */
  unprovenAmount: string
  unprovenPurchases: number
}

/** Sums in one currency, null if none was stated, and of how many purchases. */
export type Spent = Sums & { currency: string | null }

/** Where an agent spent: at all endpoints of the owner of one, which has this internal id, or anywhere. */
export type SpentWhere = { ownerOfEndpoint: string } | 'anywhere'

export type SpendStore = ReturnType<typeof createSpendStore>

const COLUMNS = {
  currency: 'currency',
  amount: 'amount',
  purchases: 'purchases',
  unprovenAmount: 'unproven_amount',
  unprovenPurchases: 'unproven_purchases',
} as const

const NOTHING: Sums = { amount: '0', purchases: 0, unprovenAmount: '0', unprovenPurchases: 0 }

/** Reads what the projection has summed of agents' purchases. */
export function createSpendStore(query: Knex) {
  const endpointsOf = (where: SpentWhere) => {
    if (where === 'anywhere') return ['']
    const owner = query('endpoints').select('owner_id').where({ id: where.ownerOfEndpoint })
    return query('endpoints').select('id').where('owner_id', '=', owner)
  }
  return {
    /** Reads what an agent has spent from a day on (days since 1970, UTC), in the order of currencies. */
    async since(fromDay: number, agentId: string, where: SpentWhere): Promise<Spent[]> {
      const rows: (Sums & { currency: string })[] = await query('feed.agent_spend')
        .select(COLUMNS)
        .where({ agent_id: agentId })
        .whereIn('endpoint_id', endpointsOf(where))
        .where('day', '>=', fromDay)
        .orderBy('currency')
      const sums = new Map<string, Sums>()
      for (const { currency, ...row } of rows) sums.set(currency, add(sums.get(currency) ?? NOTHING, row))
      return [...sums].map(([currency, sum]) => ({ currency: currency || null, ...sum }))
    },
  }
}

function add(a: Sums, b: Sums): Sums {
  return {
    amount: addDecimals(a.amount, b.amount),
    purchases: a.purchases + b.purchases,
    unprovenAmount: addDecimals(a.unprovenAmount, b.unprovenAmount),
    unprovenPurchases: a.unprovenPurchases + b.unprovenPurchases,
  }
}
