import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * When the holder of an agent’s key proved to have its private half; null for keys that were only added, as all were before.
 */
export const provenKeys: NumberedMigration = {
  name: '0134_proven_keys',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.alterTable('agent_keys', (t) => {
      t.bigInteger('proven_at')
    })
  },
  async down(schema) {
    // The builder would create the table of SQLite again, which has a trigger.
    await schema.raw('ALTER TABLE agent_keys DROP COLUMN proven_at')
  },
}
