import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Accounts that are erased, or will be after their days of grace.
 *
 * `step` is the next step of the erasure and `cursor` how far that step has come, so that any process can continue after a
 * kill. A row stays after the erasure: it has nothing of the person but the internal id.
 *
 * `users.merged_into` is the account that a wallet's own account was merged into, whose earlier records are then the same
 * person's; merges from before this column are not known.
 */
export const accountErasures: NumberedMigration = {
  name: '0107_account_erasures',
  async up(schema) {
    await schema.schema.createTable('account_erasures', (t) => {
      t.string('user_id').primary()
      t.bigInteger('requested_at').notNullable()
      t.bigInteger('erase_at').notNullable()
      t.string('step').notNullable()
      t.bigInteger('cursor').notNullable().defaultTo(-1)
      t.bigInteger('claimed_until').notNullable().defaultTo(0)
      t.bigInteger('erased_at')
    })
    await schema.schema.alterTable('users', (t) => {
      t.string('merged_into').index()
    })
    await schema.raw(
      `CREATE INDEX account_erasures_due ON account_erasures (erase_at) WHERE erased_at IS NULL`,
    )
  },
  async down(schema) {
    await schema.schema.alterTable('users', (t) => t.dropColumns('merged_into'))
    await schema.schema.dropTable('account_erasures')
  },
}
