import { expect } from 'chai'
import { onBothDatabases } from './onBothDatabases.ts'
import { walkFeedMigration } from './walkFeedMigration.ts'

describe('migration 0083 adds what agents spend', () => {
  onBothDatabases(
    walkFeedMigration('0083_agent_spend', 'agent_spend', async (query) => {
      const spent = { agent_id: 'SVC-1', endpoint_id: '', day: 20_000, currency: 'EUR', amount: '0.3' }
      await query('agent_spend').insert(spent)
      expect(await query('agent_spend')).to.deep.equal([spent])
    }),
  )
})
