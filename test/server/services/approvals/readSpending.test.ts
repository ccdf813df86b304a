import { expect } from 'chai'
import { readSpending } from '../../../../server/services/approvals/readSpending.ts'
import type { SpendStore } from '../../../../server/store/feed/spendStore.ts'

const NOW = Date.UTC(2026, 10, 21, 23, 59)

describe('readSpending', () => {
  const asked: Parameters<SpendStore['since']>[] = []
  const spend = {
    async since(...look: Parameters<SpendStore['since']>) {
      asked.push(look)
      return []
    },
  }

  it('reads today and the 29 days before, in UTC', async () => {
    const upToDate = { spend, catchUp: async () => 7 }
    await readSpending(upToDate, { agentId: 'SVC-1', endpointId: 'endpoint' }, NOW)
    const first = Date.UTC(2026, 9, 23) / 86_400_000
    expect(asked).to.deep.equal([
      [first, 'SVC-1', { ownerOfEndpoint: 'endpoint' }],
      [first, 'SVC-1', 'anywhere'],
    ])
  })

  it('says nothing rather than too little while the feed is behind', async () => {
    const behind = { spend, catchUp: () => Promise.reject(new Error('the feed is behind the log')) }
    expect(await readSpending(behind, { agentId: 'SVC-1', endpointId: null }, NOW)).to.equal(null)
  })
})
