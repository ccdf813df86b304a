import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Which threshold an answer tells about: the Hard Limit, as all before, or the amount from which the owner is asked.
 *
 * A release before this one takes the latter for denials at the Hard Limit while it runs beside it; at worst, an owner gets
 * an alert too many.
 */
export const limitThresholds: NumberedMigration = {
  name: '0130_limit_thresholds',
  oldestBeside: '0124_several_logs',
  async up(schema) {
    await schema.schema.alterTable('limit_answers', (t) => {
      t.string('threshold').notNullable().defaultTo('hard_limit')
    })
  },
  async down(schema) {
    await schema('limit_answers').whereNot({ threshold: 'hard_limit' }).delete()
    await schema.schema.alterTable('limit_answers', (t) => t.dropColumns('threshold'))
  },
}
