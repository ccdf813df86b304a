import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Which wallet opened a session, in lower case; null for any other way to sign in, and for older sessions. The index finds
 * the agents that name a wallet.
 */
export const sessionWallets: NumberedMigration = {
  name: '0131_session_wallets',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.alterTable('sessions', (t) => {
      t.string('wallet_address')
    })
    await schema.raw('CREATE INDEX agent_tokens_wallet ON agent_tokens (LOWER(wallet))')
  },
  async down(schema) {
    await schema.raw('DROP INDEX agent_tokens_wallet')
    // The builder would create the table of SQLite again, which other tables refer to.
    await schema.raw('ALTER TABLE sessions DROP COLUMN wallet_address')
  },
}
