import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The wallets that were unlinked from an account: they sign for none of its agents, although an agent was registered by one
 * or names it on chain.
 *
 * Wallets sign for the agents of their owner, which processes cache, so changes of either table are notified. Before, nobody
 * wrote down an unlinked wallet: it is one that registered an agent of the account by itself, without a request that the
 * owner approved, and that is not linked.
 */
export const walletSigners: NumberedMigration = {
  name: '0118_wallet_signers',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.createTable('unlinked_wallets', (t) => {
      t.string('user_id').notNullable()
      t.string('address').notNullable()
      t.primary(['user_id', 'address'])
    })
    await schema.raw(`INSERT INTO unlinked_wallets (user_id, address)
      SELECT DISTINCT users.id, agents.signer_address FROM agents
      JOIN users ON users.developer_id = agents.owner_id
      LEFT JOIN wallets ON wallets.address = agents.signer_address AND wallets.user_id = users.id
      WHERE agents.signer_address IS NOT NULL AND wallets.address IS NULL AND NOT EXISTS (
        SELECT 1 FROM registration_requests WHERE registration_requests.svc_id = agents.svc_id)`)
    if (!isPostgres(schema)) return
    for (const name of TABLES) await createChangeTrigger(schema, changesOf(name))
  },
  async down(schema) {
    if (isPostgres(schema)) {
      for (const name of TABLES) {
        await schema.raw(`DROP TRIGGER tell_${name} ON ${name}`)
        await schema.raw(`DROP FUNCTION tell_${name}`)
      }
    }
    await schema.schema.dropTable('unlinked_wallets')
  },
}

const TABLES = ['wallets', 'unlinked_wallets'] as const

function changesOf(table: (typeof TABLES)[number]) {
  return {
    name: table,
    table,
    events: 'INSERT OR UPDATE OR DELETE',
    payload: `'owner:' || changed.user_id`,
  }
}
