import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * WebAuthn credentials, and the challenges of sign-ins that await their response.
 *
 * A credential id has at most 1,023 bytes (WebAuthn 3 §5.8.3), which is 1,364 characters in base64url.
 */
export const passkeys: NumberedMigration = {
  name: '0008_passkeys',
  async up(schema) {
    await schema.schema
      .createTable('passkeys', (t) => {
        t.string('id').primary()
        t.string('user_id').notNullable().references('users.id').index()
        t.string('credential_id', 1364).notNullable().unique()
        t.text('public_key').notNullable()
        t.bigInteger('counter').notNullable()
        t.text('transports').notNullable()
        t.string('device_type').notNullable()
        t.boolean('is_backed_up').notNullable()
        t.string('name').notNullable()
        t.bigInteger('created_at').notNullable()
        t.bigInteger('last_used_at')
      })
      .createTable('auth_challenges', (t) => {
        t.string('value').primary()
        t.string('purpose').notNullable()
        t.string('session_id').references('sessions.id').index()
        t.bigInteger('expires_at').notNullable().index()
      })
  },
  async down(schema) {
    for (const table of ['auth_challenges', 'passkeys']) await schema.schema.dropTable(table)
  },
}
