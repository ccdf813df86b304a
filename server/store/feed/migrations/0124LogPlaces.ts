import type { NumberedMigration } from '../../database/numberedMigration.ts'

/** The log of each record, and its index there, since there has been more than one log. */
export const logPlaces: NumberedMigration = {
  name: '0124_log_places',
  oldestBeside: '0093_agent_purchases',
  async up(schema) {
    await schema.raw(`CREATE TABLE log_places (
      seq BIGINT NOT NULL,
      log INTEGER NOT NULL,
      place BIGINT NOT NULL,
      PRIMARY KEY (log, place)
    )`)
    await schema.raw('CREATE UNIQUE INDEX log_places_seq ON log_places (seq)')
  },
  async down(schema) {
    await schema.schema.dropTable('log_places')
  },
}
