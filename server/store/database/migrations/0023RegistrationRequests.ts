import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Agent registrations that wait for their owner's approval; `position` is the order of arrival, by which lists are
 * paged.
 *
 * `owner_id` is null until someone claims the outreach sent to an address; `token_hash` is the SHA-256 of the token
 * mailed there.
 */
export const registrationRequests: NumberedMigration = {
  name: '0023_registration_requests',
  async up(schema) {
    await schema.schema.createTable('registration_requests', (t) => {
      t.increments('position')
      t.string('id').notNullable().unique()
      t.string('kind').notNullable()
      t.string('owner_id')
      t.string('owner_email')
      t.string('api_key_id')
      t.text('registration').notNullable()
      t.text('reason')
      t.string('challenge_salt').notNullable()
      t.string('token_hash').unique()
      t.string('status').notNullable()
      t.bigInteger('created_at').notNullable()
      t.bigInteger('expires_at').notNullable()
      t.bigInteger('announced_at')
      t.bigInteger('decided_at')
      t.string('decided_by')
      t.text('denial_reason')
      t.string('agent_id')
      t.string('svc_id')
      t.index(['owner_id', 'position'], 'registration_requests_owner')
      t.index(['owner_email', 'created_at'], 'registration_requests_email')
    })
    await schema.raw(
      `CREATE INDEX registration_requests_pending ON registration_requests (expires_at) WHERE status = 'pending'`,
    )
    await schema.raw(
      'CREATE INDEX registration_requests_unannounced ON registration_requests (position) WHERE announced_at IS NULL',
    )
  },
  async down(schema) {
    await schema.schema.dropTable('registration_requests')
  },
}
