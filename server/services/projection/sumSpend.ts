import { addParsed, type Decimal, formatDecimal, parseDecimal } from '@svc/core/decimal.ts'
import type { SpentAmount } from '../../store/feed/projectionStore.ts'
import type { ReadRecord } from './readRecord.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type SumKey = Pick<SpentAmount, 'agentId' | 'endpointId' | 'day' | 'currency'>

type Sum = { amount: Decimal; purchases: number }

const NOTHING: Readonly<Sum> = { amount: parseDecimal(0), purchases: 0 }

/**
 * Sums what grants of these records let agents spend, by day, endpoint and currency, and for all endpoints together, so that
 * an agent's total is read in as few rows as that of one endpoint.
 *
 * Grants of requests that prove nothing are summed apart, because anyone can name an agent. Records without `identityProof`
 * are older than proofs and count as proven.
 */
export function sumSpend(records: readonly ReadRecord[]): SpentAmount[] {
  const sums = new Map<string, SumKey & { proven: Sum; unproven: Sum }>()
  for (const record of records) {
    const spent = spentOf(record)
    if (spent === null) continue
    for (const endpointId of spent.endpointId === '' ? [''] : [spent.endpointId, '']) {
      const key = `${spent.agentId} ${endpointId} ${spent.day} ${spent.currency}`
      const { amount, isProven, ...of } = spent
      const sum = sums.get(key) ?? { ...of, endpointId, proven: { ...NOTHING }, unproven: { ...NOTHING } }
      const part = isProven ? sum.proven : sum.unproven
      part.amount = addParsed(part.amount, amount)
      part.purchases += 1
      sums.set(key, sum)
    }
  }
  return Array.from(sums.values(), ({ proven, unproven, ...of }) => ({
    ...of,
    amount: formatDecimal(proven.amount),
    purchases: proven.purchases,
    unprovenAmount: formatDecimal(unproven.amount),
    unprovenPurchases: unproven.purchases,
  }))
}

function spentOf({ eventType, agentId, endpointId, recordedAt, data }: ReadRecord) {
  if (agentId === null || eventType !== 'verification.completed') return null
  const { recommendation, transactionValue, currency, identityProof } = data
  if (recommendation !== 'grant' || typeof transactionValue !== 'number' || transactionValue === 0)
    return null
  return {
    agentId,
    endpointId: endpointId ?? '',
    day: Math.floor(recordedAt / DAY_MS),
    currency: typeof currency === 'string' ? currency : '',
    amount: parseDecimal(transactionValue),
    isProven: identityProof !== 'none',
  }
}
