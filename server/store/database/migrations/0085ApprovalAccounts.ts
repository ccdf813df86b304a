import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Who answers for the endpoint of an approval, so that nobody puts more requests before an owner by opening organisations.
 * Approvals that are decided are not counted, and have none.
 */
export const approvalAccounts: NumberedMigration = {
  name: '0085_approval_accounts',
  async up(schema) {
    await schema.schema.alterTable('step_up_approvals', (t) => {
      t.string('counterparty_account_id')
    })
    await schema.raw(`UPDATE step_up_approvals SET counterparty_account_id = COALESCE(
        (SELECT created_by FROM organizations WHERE organizations.id = counterparty_owner_id),
        (SELECT users.id FROM users WHERE users.developer_id = counterparty_owner_id),
        counterparty_owner_id)
      WHERE status = 'pending'`)
  },
  async down(schema) {
    await schema.schema.alterTable('step_up_approvals', (t) => t.dropColumns('counterparty_account_id'))
  },
}
