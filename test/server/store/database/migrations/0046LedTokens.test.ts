import { expect } from 'chai'
import type { Knex } from 'knex'
import { createIpfsFileStore } from '../../../../../server/store/agents/ipfsFileStore.ts'
import { migrations } from '../../../../../server/store/database/migrations/index.ts'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { buildAgentRow } from '../../../../builders/buildAgentRow.ts'
import { onBothDatabases } from './onBothDatabases.ts'

const BEFORE = migrations.findIndex(({ name }) => name === '0046_led_tokens')

describe('migration 0046 keeps the state of tokens that point to IPFS', () => {
  /** Up, down and up again: the same agents await IPFS by the old column and the new one. */
  async function walk(query: Knex): Promise<void> {
    const to = (count: number) => ({ migrationSource: createMigrationSource(migrations.slice(0, count)) })
    await query.migrate.latest(to(BEFORE))
    for (const [at, name] of ['absent', 'changed', 'led', 'not-led', 'not-on-chain'].entries()) {
      const place = { chain_agent_id: name === 'not-on-chain' ? null : at, registration_file_hash: 'now' }
      await query('agents').insert({ ...buildAgentRow(name, 1), ...place })
    }
    const files = [
      { svc_id: 'changed', file_hash: 'before', is_led: true },
      { svc_id: 'led', file_hash: 'now', is_led: true },
      { svc_id: 'not-led', file_hash: 'now', is_led: false },
    ]
    await query('ipfs_files').insert(files)
    for (let times = 0; times < 2; times += 1) {
      await query.migrate.latest(to(BEFORE + 1))
      const kept = createIpfsFileStore(query)
      const waiting = await kept.missing({ after: '', limit: 10 })
      expect(waiting).to.deep.equal(['absent', 'changed', 'not-led'])
      expect(await kept.hashOf('changed')).to.equal('before')
      await query.migrate.down(to(BEFORE + 1))
      const led = await query('ipfs_files').select('svc_id').where({ is_led: true, file_hash: 'now' })
      expect(led).to.deep.equal([{ svc_id: 'led' }])
      expect(Object.keys((await query('agents').first()) ?? {})).not.to.include('led_file_hash')
    }
  }

  onBothDatabases(walk)
})
