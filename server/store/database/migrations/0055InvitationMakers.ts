import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Who made an invitation, so that it ends when they may no longer make it. It is unknown of those from before, which end by
 * themselves within seven days.
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
