import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Mails about requests that prove nothing: `digest_at` is when an approval is due for a mail together with others of the
 * same account, and `approval_digests` has the last mail to an owner about each account.
 */
export const approvalDigests: NumberedMigration = {
  name: '0074_approval_digests',
  async up(schema) {
    await schema.schema.alterTable('step_up_approvals', (t) => {
      t.boolean('is_unproven').notNullable().defaultTo(false)
      t.bigInteger('digest_at')
      t.index(['owner_id', 'is_unproven', 'position'], 'step_up_approvals_asked')
    })
    await schema.raw(
      'CREATE INDEX step_up_approvals_digest ON step_up_approvals (digest_at) WHERE digest_at IS NOT NULL',
    )
    await schema.schema.createTable('approval_digests', (t) => {
      t.string('owner_id').notNullable()
      t.string('account_id').notNullable()
      t.bigInteger('mailed_at').notNullable()
      t.primary(['owner_id', 'account_id'])
    })
  },
  async down(schema) {
    await schema.schema.dropTable('approval_digests')
    await schema.raw('DROP INDEX step_up_approvals_digest')
    await schema.schema.alterTable('step_up_approvals', (t) => {
      t.dropIndex(['owner_id', 'is_unproven', 'position'], 'step_up_approvals_asked')
      t.dropColumns('is_unproven', 'digest_at')
    })
  },
}
