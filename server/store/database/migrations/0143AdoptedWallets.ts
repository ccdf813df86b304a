import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The `agentWallet` of the token of each adopted agent as last read, in lower case, and the block at which it was; a null
 * block means that it has not been read. Both are written together, and processes cache them, so a change is notified.
 */
export const adoptedWallets: NumberedMigration = {
  name: '0143_adopted_wallets',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.alterTable('foreign_adoptions', (t) => {
      t.string('wallet')
      t.bigInteger('wallet_block')
    })
    if (isPostgres(schema)) await createChangeTrigger(schema, CHANGE)
  },
  async down(schema) {
    if (isPostgres(schema)) {
      await schema.raw(`DROP TRIGGER tell_${CHANGE.name} ON ${CHANGE.table}`)
      await schema.raw(`DROP FUNCTION tell_${CHANGE.name}`)
    }
    for (const column of ['wallet', 'wallet_block']) {
      await schema.raw(`ALTER TABLE foreign_adoptions DROP COLUMN ${column}`)
    }
  },
}

const CHANGE = {
  name: 'adopted_wallets',
  table: 'foreign_adoptions',
  events: 'UPDATE OF wallet_block',
  payload: `'agent:' || changed.agent_id`,
}
