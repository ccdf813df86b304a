import type { NumberedMigration } from '../numberedMigration.ts'

/** Finds what was settled last, by block, when the chain has another end than before. */
export const settledIntents: NumberedMigration = {
  name: '0017_settled_intents',
  async up(schema) {
    await schema.raw(
      'CREATE INDEX relayer_intents_settled ON relayer_intents (mined_block) WHERE settled_at IS NOT NULL',
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX relayer_intents_settled')
  },
}
