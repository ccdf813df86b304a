import type { NumberedMigration } from '../numberedMigration.ts'

/** The spans in which records and intents were made, so that deliveries and transactions continue their traces. */
export const traceOrigins: NumberedMigration = {
  name: '0142_trace_origins',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw(`CREATE TABLE record_origins (
      record_id TEXT PRIMARY KEY,
      trace_parent TEXT NOT NULL,
      recorded_at BIGINT NOT NULL
    )`)
    await schema.raw('CREATE INDEX record_origins_recorded_at ON record_origins (recorded_at)')
    await schema.raw(`CREATE TABLE intent_origins (
      intent_id INTEGER PRIMARY KEY,
      trace_parent TEXT NOT NULL,
      ordered_at BIGINT NOT NULL
    )`)
    await schema.raw('CREATE INDEX intent_origins_ordered_at ON intent_origins (ordered_at)')
  },
  async down(schema) {
    await schema.raw('DROP TABLE intent_origins')
    await schema.raw('DROP TABLE record_origins')
  },
}
