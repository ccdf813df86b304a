import type { Knex } from 'knex'

export type CapUseStore = ReturnType<typeof createCapUseStore>

/** Maximum number of currencies in which one holder's spend is read. */
const CURRENCIES_MAX = 20

/** Reads how far the caps that the recorder enforces are used up. */
export function createCapUseStore(query: Knex) {
  return {
    /**
     * Counts the granted transactions of a scope after `since`, and finds the first of them; times are epoch milliseconds.
     *
     * The grants of a scope are numbered in the order of their times, so two rows are enough.
     */
    async grantsSince(scope: string, since: number): Promise<{ count: number; firstAt: number } | null> {
      const end = (order: 'asc' | 'desc') =>
        query('transaction_grants')
          .select('granted_at', 'ordinal')
          .where({ scope })
          .where('granted_at', '>', since)
          .orderBy([
            { column: 'granted_at', order },
            { column: 'ordinal', order },
          ])
          .first()
      const first = await end('asc')
      const last = await end('desc')
      if (first === undefined || last === undefined) return null
      return { count: Number(last.ordinal) - Number(first.ordinal) + 1, firstAt: Number(first.granted_at) }
    },

    /**
     * Reads what a holder has spent at an endpoint in a period, by currency: null is that of the endpoint’s boundary, or
     * none stated.
     *
     * @param period The kind of period and its start, as `nameSpendPeriod` names it.
     */
    async spent(
      endpointId: string,
      holder: string,
      period: string,
    ): Promise<{ currency: string | null; total: string }[]> {
      const rows = await query('cumulative_spend')
        .select('period', 'total')
        .where({ endpoint_id: endpointId, agent_id: holder })
        .where((either) => either.where({ period }).orWhere('period', 'like', `${period}:%`))
        .orderBy('period')
        .limit(CURRENCIES_MAX)
      return rows.map(({ period: stored, total }) => ({
        currency: String(stored).slice(period.length + 1) || null,
        total: String(total),
      }))
    },
  }
}
