import { type AddedIndex, createIndexes, dropIndexes } from '../createIndexes.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES: readonly AddedIndex[] = [
  { name: 'agent_tokens_wallet', table: 'agent_tokens', on: '(LOWER(wallet))' },
]

/**
 * Which wallet opened a session, in lower case; null for any other way to sign in, and for older sessions. The index finds
 * the agents that name a wallet.
 */
export const sessionWallets: NumberedMigration = {
  name: '0131_session_wallets',
  oldestBeside: '0117_database_features',
  indexes: INDEXES,
  async up(schema) {
    await schema.schema.alterTable('sessions', (t) => {
      t.string('wallet_address')
    })
    await createIndexes(schema, INDEXES)
  },
  async down(schema) {
    await dropIndexes(schema, INDEXES)
    // The builder would create the table of SQLite again, which other tables refer to.
    await schema.raw('ALTER TABLE sessions DROP COLUMN wallet_address')
  },
}
