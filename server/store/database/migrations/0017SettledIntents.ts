import type { NumberedMigration } from '../numberedMigration.ts'

/** An index of the intents that were settled last, by block, for reorganisations of the chain. */
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
