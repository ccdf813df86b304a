import { expect } from 'chai'
import type { Knex } from 'knex'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { buildAgentRow } from '../../../../builders/buildAgentRow.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0146_own_caps')
const NOW = Date.UTC(2026, 0, 5)
const HOUR_MS = 3_600_000

const pdlssOf = (max: number | undefined, inheritPermissions = true) =>
  JSON.stringify({
    limits: max === undefined ? {} : { maxTransactionsPerHour: max },
    selfInstantiation: { allowed: true, inheritPermissions },
  })

describe('migration 0146 gives sub-agents with lower hourly caps a count of their own', () => {
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (const [svcId, parent, pdlss] of [
      ['SVC-R', null, pdlssOf(9)],
      ['SVC-Same', 'SVC-R', pdlssOf(9)],
      ['SVC-Lower', 'SVC-Same', pdlssOf(4)],
      ['SVC-Lowest', 'SVC-Lower', pdlssOf(2)],
      ['SVC-Free', null, pdlssOf(undefined, false)],
      ['SVC-Apart', 'SVC-Free', pdlssOf(3)],
    ] as const) {
      await query('agents').insert({ ...buildAgentRow(svcId, 1), parent_agent_id: parent, pdlss })
    }
    const grantsOf = (scope: string, ...times: number[]) =>
      times.map((granted_at, nth) => ({ scope, granted_at, ordinal: nth + 5 }))
    await query('transaction_grants').insert([
      ...grantsOf('SVC-R', NOW - 2, NOW),
      ...grantsOf('SVC-R~account', NOW - 1),
      ...grantsOf('SVC-R~earlier', NOW - 2 * HOUR_MS),
      ...grantsOf('SVC-R@endpoint', NOW),
      ...grantsOf('SVC-Apart', NOW),
    ])
    const before = await query('transaction_grants').count({ n: '*' }).first()
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      for (const svcId of ['SVC-Lower', 'SVC-Lowest']) {
        const rows = await query('transaction_grants')
          .select('scope', 'granted_at', 'ordinal')
          .where('scope', 'like', `${svcId}%`)
          .whereNot('scope', svcId === 'SVC-Lower' ? 'SVC-Lowest' : '')
          .orderBy(['scope', 'granted_at'])
        expect(rows.map((row) => [row.scope, Number(row.granted_at), Number(row.ordinal)])).to.deep.equal([
          [svcId, NOW - 2, 5],
          [svcId, NOW, 6],
          [`${svcId}~account`, NOW - 1, 5],
        ])
      }
      const after = await query('transaction_grants').count({ n: '*' }).first()
      expect(Number(after?.n)).to.equal(Number(before?.n) + 6)
      await query.migrate.down(to(BEFORE + 1))
    }
  }

  onBothDatabases(walk)
})
