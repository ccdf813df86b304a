import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { AGENT, NOW, openRecorders, places, plain, type Recorders } from './openRecorders.ts'

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: old grants, which recorders on PostgreSQL`, () => {
    let recorders: Recorders

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      recorders = await openRecorders(featureSet)
    })
    afterEach(() => recorders.close())

    it('delete that no window includes any more in several steps, and those of no other scope', async () => {
      const since = NOW - 3_600_000
      const old = places(700).map((n) => ({ scope: AGENT, granted_at: since - 700 + n, ordinal: n + 1 }))
      await recorders.db.query('transaction_grants').insert(old)
      await recorders.db.query('transaction_grants').insert({ scope: 'other', granted_at: 1, ordinal: 64 })
      const grant = (nth: number) =>
        recorders.record(
          {
            counters: buildCounterQuery({ agentScope: AGENT, since }),
            approval: null,
            decide: ({ agentGrants }) => ({
              ...commitmentOf([buildRecord()], agentGrants),
              grants: [{ scope: AGENT, grantedAt: NOW, since }],
            }),
          },
          nth,
        )
      const stored = async (scope: string) =>
        (await recorders.db.query('transaction_grants').where({ scope }).select('ordinal')).length
      await Promise.all(places(4).map(grant))
      expect(await stored(AGENT)).to.equal(700 - 512 + 4)
      const counted = await Promise.all(places(64).map(grant))
      expect(counted.toSorted((a, b) => Number(a) - Number(b))).to.deep.equal(places(68).slice(4))
      expect(await stored(AGENT)).to.equal(68)
      expect(await stored('other')).to.equal(1)
    })

    it('delete of an agent without reading those of others', async () => {
      const HOUR_MS = 3_600_000
      // One grant in 64 of an agent deletes its old ones, and the next one of this agent is such a grant.
      await queryPostgres(
        recorders.url,
        `INSERT INTO transaction_grants (scope, granted_at, ordinal)
          SELECT 'SVC-' || n % 100, n, n + 60 FROM generate_series(1, 20000) AS n`,
      )
      await queryPostgres(recorders.url, 'ANALYZE transaction_grants')
      const scans = async () => {
        const [row] = await queryPostgres<{ tables: number; searches: number }>(
          recorders.url,
          `SELECT seq_scan AS tables, idx_scan AS searches FROM pg_stat_user_tables WHERE relname = 'transaction_grants'`,
        )
        return row ?? { tables: 0, searches: 0 }
      }
      const before = await scans()
      await recorders.record({
        counters: buildCounterQuery({ agentId: 'SVC-7', agentScope: 'SVC-7', since: NOW - HOUR_MS }),
        approval: null,
        decide: () => ({
          ...commitmentOf([buildRecord()], null),
          grants: [{ scope: 'SVC-7', grantedAt: NOW, since: NOW - HOUR_MS }],
        }),
      })
      // A session reports its scans when it has been idle for a moment.
      const after = await waitUntil(async () => {
        await recorders.record(plain(null))
        const now = await scans()
        return now.searches > before.searches ? now : null
      })
      expect(after.tables).to.equal(before.tables)
      const rows = await recorders.db
        .query('transaction_grants')
        .select('granted_at')
        .where({ scope: 'SVC-7' })
      expect(rows).to.deep.equal([{ granted_at: NOW }])
      expect(await recorders.db.query('transaction_grants').where({ scope: 'SVC-8' })).to.have.length(200)
    })
  })
}
