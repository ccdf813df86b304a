import type { NumberedMigration } from '../numberedMigration.ts'

/** Identities at other providers that sign in to an account, and the codes that pass a finished sign-in to the page. */
export const linkedIdentities: NumberedMigration = {
  name: '0020_linked_identities',
  async up(schema) {
    await schema.schema
      .createTable('linked_identities', (t) => {
        t.string('id').primary()
        t.string('user_id').notNullable().references('users.id').index()
        t.string('provider').notNullable()
        t.string('issuer').notNullable()
        t.string('subject').notNullable()
        t.string('email')
        t.bigInteger('linked_at').notNullable()
        t.unique(['provider', 'issuer', 'subject'])
      })
      .createTable('sign_in_hand_overs', (t) => {
        t.string('code_hash').primary()
        t.string('identity_id').notNullable().references('linked_identities.id').index()
        t.bigInteger('expires_at').notNullable().index()
      })
  },
  async down(schema) {
    await schema.schema.dropTable('sign_in_hand_overs').dropTable('linked_identities')
  },
}
