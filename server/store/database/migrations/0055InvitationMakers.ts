import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The maker of an invitation, so that it ends when the maker may no longer invite. Unknown for older invitations, which
 * expire within seven days.
 */
export const invitationMakers: NumberedMigration = {
  name: '0055_invitation_makers',
  async up(schema) {
    await schema.schema.alterTable('invitations', (t) => {
      t.string('invited_by')
    })
  },
  async down(schema) {
    await schema.schema.alterTable('invitations', (t) => t.dropColumns('invited_by'))
  },
}
