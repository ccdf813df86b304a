import type { NumberedMigration } from '../../database/numberedMigration.ts'
import { emptyFeed } from './emptyFeed.ts'

/**
 * How often each agent and endpoint was decided about, by facet: outcomes by hour (hours since 1970), and dimensions of
 * denials and counterparts by day (days since 1970, UTC). `last_at` is the time of the last of them.
 *
 * The feed is emptied, so that the projection fills the new table from the log together with all others.
 */
export const decisionCounts: NumberedMigration = {
  name: '0091_decision_counts',
  async up(schema) {
    const sqlite = schema.client.config.client === 'better-sqlite3'
    await schema.raw(`CREATE TABLE decision_counts (
      subject_id VARCHAR(255) NOT NULL,
      facet VARCHAR(255) NOT NULL,
      bucket INTEGER NOT NULL,
      name VARCHAR(255) NOT NULL,
      decisions BIGINT NOT NULL,
      last_at BIGINT NOT NULL,
      PRIMARY KEY (subject_id, facet, bucket, name)
    ) ${sqlite ? 'WITHOUT ROWID' : ''}`)
    await emptyFeed(schema, ['agent_spend'])
  },
  async down(schema) {
    await schema.schema.dropTable('decision_counts')
  },
}
