import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Whether an approval was given by a passkey assertion. Every approval before this migration was, as there was no other
 * way.
 */
export const freshAssertions: NumberedMigration = {
  name: '0062_fresh_assertions',
  async up(schema) {
    await schema.schema.alterTable('step_up_approvals', (t) => {
      t.boolean('has_fresh_assertion').notNullable().defaultTo(false)
    })
    await schema('step_up_approvals').where({ status: 'approved' }).update({ has_fresh_assertion: true })
  },
  async down(schema) {
    await schema.schema.alterTable('step_up_approvals', (t) => t.dropColumns('has_fresh_assertion'))
  },
}
