import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * People, organisations and their credentials.
 *
 * Times are epoch milliseconds. Owners are referred to by public identifier (`SVCD-` for a developer, `SVCO-` for an
 * organisation), so that one column can contain either.
 */
export const accounts: NumberedMigration = {
  name: '0001_accounts',
  async up(schema) {
    await schema.schema
      .createTable('users', (t) => {
        t.string('id').primary()
        t.string('developer_id').notNullable().unique()
        t.string('email').unique()
        t.bigInteger('email_verified_at')
        t.string('password_hash')
        t.string('full_name')
        t.string('account_type').notNullable()
        t.string('role').notNullable().defaultTo('user')
        t.bigInteger('kyd_verified_at')
        t.bigInteger('created_at').notNullable()
      })
      .createTable('wallets', (t) => {
        t.string('address').primary()
        t.string('user_id').notNullable().references('users.id').index()
        t.bigInteger('created_at').notNullable()
      })
      .createTable('organizations', (t) => {
        t.string('id').primary()
        t.string('name').notNullable()
        t.string('created_by').notNullable().references('users.id')
        t.bigInteger('created_at').notNullable()
      })
      .createTable('memberships', (t) => {
        t.string('organization_id').notNullable().references('organizations.id')
        t.string('user_id').notNullable().references('users.id').index()
        t.string('role').notNullable()
        t.string('status').notNullable()
        t.bigInteger('created_at').notNullable()
        t.primary(['organization_id', 'user_id'])
      })
      .createTable('api_keys', (t) => {
        t.string('id').primary()
        t.string('key_hash').notNullable().unique()
        t.string('last_four').notNullable()
        t.string('name').notNullable()
        t.string('user_id').notNullable().references('users.id').index()
        t.string('organization_id').references('organizations.id').index()
        t.bigInteger('created_at').notNullable()
        t.bigInteger('revoked_at')
      })
      .createTable('sessions', (t) => {
        t.string('id').primary()
        t.string('user_id').notNullable().references('users.id').index()
        t.text('amr').notNullable()
        t.bigInteger('authenticated_at').notNullable()
        t.bigInteger('ended_at')
      })
      .createTable('refresh_tokens', (t) => {
        t.string('token_hash').primary()
        t.string('session_id').notNullable().references('sessions.id').index()
        t.bigInteger('created_at').notNullable()
        t.bigInteger('expires_at').notNullable()
        t.bigInteger('used_at')
      })
      .createTable('request_nonces', (t) => {
        t.string('address').notNullable()
        t.string('nonce').notNullable()
        t.bigInteger('expires_at').notNullable().index()
        t.primary(['address', 'nonce'])
      })
  },
  async down(schema) {
    for (const table of [
      'request_nonces',
      'refresh_tokens',
      'sessions',
      'api_keys',
      'memberships',
      'organizations',
      'wallets',
      'users',
    ]) {
      await schema.schema.dropTable(table)
    }
  },
}
