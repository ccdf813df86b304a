import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Settled intents that still say for whom the relayer paid, by when they were settled: those of which it has to be removed
 * are found without reading the others, however many there are.
 */
export const settledPayers: NumberedMigration = {
  name: '0150_settled_payers',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw(`CREATE INDEX relayer_intents_payers ON relayer_intents (settled_at)
      WHERE settled_at IS NOT NULL AND (account_id IS NOT NULL OR network IS NOT NULL OR stranger_id IS NOT NULL)`)
  },
  async down(schema) {
    await schema.raw('DROP INDEX relayer_intents_payers')
  },
}
