import type { Spent } from '@svc/core/contract/statistics.ts'
import { expect } from 'chai'
import { formatProven, formatUnproven } from '../../../../web/src/parts/words/formatSpent.ts'

const NOTHING = { amount: '0', purchases: 0, unprovenAmount: '0', unprovenPurchases: 0 }

describe('what was spent in the name of an agent', () => {
  it('is formatted apart for requests that proved the agent and for those that only named it', () => {
    const spent: Spent[] = [
      {
        ...NOTHING,
        currency: 'EUR',
        amount: '10.5',
        purchases: 1,
        unprovenAmount: '300',
        unprovenPurchases: 2,
      },
      { ...NOTHING, currency: 'USD', amount: '7', purchases: 2 },
      { ...NOTHING, currency: 'GBP', unprovenAmount: '1', unprovenPurchases: 1 },
    ]
    expect(formatProven(spent)).to.equal('€10.50 + $7.00 in 3 purchases')
    expect(formatUnproven(spent)).to.equal('€300.00 + £1.00 in 3 purchases')
  })

  it('is not mentioned if there is nothing of a kind', () => {
    const proven: Spent[] = [{ ...NOTHING, currency: 'EUR', amount: '1', purchases: 1 }]
    expect([formatProven(proven), formatUnproven(proven)]).to.deep.equal(['€1.00 in 1 purchase', null])
    expect([formatProven([]), formatUnproven([])]).to.deep.equal([null, null])
  })
})
