import type { Spent } from '@svc/core/contract/statistics.ts'
import { formatAmount } from './words.ts'

type Sum = Pick<Spent, 'currency' | 'amount' | 'purchases'>

/** Formats what requests spent that proved the agent, with the number of purchases; null if there are none. */
export const formatProven = (spent: readonly Spent[]): string | null => formatSums(spent)

/** Formats the same of requests that only named the agent. */
export const formatUnproven = (spent: readonly Spent[]): string | null =>
  formatSums(
    spent.map(({ currency, unprovenAmount: amount, unprovenPurchases: purchases }) => ({
      ...{ currency, amount, purchases },
    })),
  )

function formatSums(all: readonly Sum[]): string | null {
  const sums = all.filter(({ purchases }) => purchases > 0)
  if (sums.length === 0) return null
  const amounts = sums.map(({ amount, currency }) => formatAmount(Number(amount), currency ?? undefined))
  const purchases = sums.reduce((count, one) => count + one.purchases, 0)
  return `${amounts.join(' + ')} in ${purchases} ${purchases === 1 ? 'purchase' : 'purchases'}`
}
