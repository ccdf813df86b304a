import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The newest cosignature of every witness, and when to ask it next.
 *
 * A witness cosigns each log separately, so a row belongs to a witness and an origin; only the newest cosignature is needed,
 * because proofs are made under the newest checkpoint.
 */
export const witnesses: NumberedMigration = {
  name: '0110_witnesses',
  async up(schema) {
    await schema.schema.createTable('witness_heads', (t) => {
      t.text('witness').notNullable()
      t.text('origin').notNullable()
      t.bigInteger('size').notNullable()
      t.text('cosigned_text')
      t.text('cosignature')
      t.bigInteger('cosigned_at')
      t.integer('attempts').notNullable()
      t.bigInteger('failing_since')
      t.text('fault')
      t.bigInteger('next_attempt_at').notNullable()
      t.primary(['witness', 'origin'])
    })
  },
  async down(schema) {
    await schema.schema.dropTable('witness_heads')
  },
}
