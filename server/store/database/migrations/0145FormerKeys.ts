import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The thumbprints of revoked keys that an agent no longer lists, so that none is added to it again. Nothing is deleted from
 * it, and processes do not cache it.
 */
export const formerKeys: NumberedMigration = {
  name: '0145_former_keys',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.createTable('former_keys', (t) => {
      t.string('agent_id').notNullable()
      t.string('kid').notNullable()
      t.primary(['agent_id', 'kid'])
    })
  },
  async down(schema) {
    await schema.schema.dropTable('former_keys')
  },
}
