import { expect } from 'chai'
import { onBothDatabases } from './onBothDatabases.ts'
import { walkFeedMigration } from './walkFeedMigration.ts'

describe('migration 0091 adds counts of decisions', () => {
  onBothDatabases(
    walkFeedMigration('0091_decision_counts', 'decision_counts', async (query) => {
      const counted = { subject_id: 'SVC-1', facet: 'outcome', bucket: 500_000, name: 'verification.denied' }
      await query('decision_counts').insert({ ...counted, decisions: 1, last_at: 1_800_000_000_000 })
      const [row] = await query('decision_counts')
      expect([Number(row.decisions), Number(row.last_at)]).to.deep.equal([1, 1_800_000_000_000])
    }),
  )
})
