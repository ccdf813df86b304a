import type { NumberedMigration } from '../../database/numberedMigration.ts'

/**
 * The counterparties that contributed to an agent’s behaviour, so that a single one contributes no more than its share;
 * JSON.
 */
export const behaviourSources: NumberedMigration = {
  name: '0002_behaviour_sources',
  async up(schema) {
    await schema.raw(`ALTER TABLE agent_behaviour ADD COLUMN sources TEXT NOT NULL DEFAULT '[]'`)
  },
  async down(schema) {
    await schema.raw('ALTER TABLE agent_behaviour DROP COLUMN sources')
  },
}
