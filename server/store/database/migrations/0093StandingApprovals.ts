import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * What owners approved in advance: an agent may spend up to an amount at one counterparty until a time.
 *
 * The deciding transaction reads and counts a row, so nothing caches it. There is at most one for each agent, endpoint and
 * currency (`''` for none); one that is removed or replaced is in the audit log only.
 */
export const standingApprovals: NumberedMigration = {
  name: '0093_standing_approvals',
  async up(schema) {
    await schema.schema.createTable('standing_approvals', (t) => {
      t.string('id').notNullable().unique()
      t.string('agent_id').notNullable()
      t.string('endpoint_id').notNullable()
      t.string('currency').notNullable()
      t.string('owner_id').notNullable()
      t.string('counterparty_owner_id').notNullable()
      t.string('amount').notNullable()
      t.string('used').notNullable()
      t.string('min_identity_proof').notNullable()
      t.bigInteger('created_at').notNullable()
      t.bigInteger('expires_at').notNullable()
      t.primary(['agent_id', 'endpoint_id', 'currency'])
    })
  },
  async down(schema) {
    await schema.schema.dropTable('standing_approvals')
  },
}
