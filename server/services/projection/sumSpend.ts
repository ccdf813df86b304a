import { addParsed, type Decimal, formatDecimal, parseDecimal } from '@svc/core/decimal.ts'
import type { SpentAmount } from '../../store/feed/projectionStore.ts'
import type { ReadRecord } from './readRecord.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Sums what grants of these records let agents spend, by day, endpoint and currency, and for all endpoints together, so that
 * an agent's total is read in as few rows as that of one endpoint.
 */
export function sumSpend(records: readonly ReadRecord[]): SpentAmount[] {
  const sums = new Map<string, Omit<SpentAmount, 'amount'> & { amount: Decimal }>()
  for (const record of records) {
    const spent = spentOf(record)
    if (spent === null) continue
    for (const endpointId of spent.endpointId === '' ? [''] : [spent.endpointId, '']) {
      const key = `${spent.agentId} ${endpointId} ${spent.day} ${spent.currency}`
      const sum = sums.get(key)
      if (sum) {
        sum.amount = addParsed(sum.amount, spent.amount)
        sum.purchases += 1
      } else sums.set(key, { ...spent, endpointId, purchases: 1 })
    }
  }
  return Array.from(sums.values(), (sum) => ({ ...sum, amount: formatDecimal(sum.amount) }))
}

function spentOf({ eventType, agentId, endpointId, recordedAt, data }: ReadRecord) {
  if (agentId === null || eventType !== 'verification.completed') return null
  const { recommendation, transactionValue, currency } = data
  if (recommendation !== 'grant' || typeof transactionValue !== 'number' || transactionValue === 0)
    return null
  return {
    agentId,
    endpointId: endpointId ?? '',
    day: Math.floor(recordedAt / DAY_MS),
    currency: typeof currency === 'string' ? currency : '',
    amount: parseDecimal(transactionValue),
  }
}
