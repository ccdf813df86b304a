import type { NumberedMigration } from '../numberedMigration.ts'

/** Requests with an Idempotency-Key, and their sealed responses. */
export const idempotencyKeys: NumberedMigration = {
  name: '0015_idempotency_keys',
  async up(schema) {
    await schema.schema.createTable('idempotency_keys', (t) => {
      t.string('caller').notNullable()
      t.string('key').notNullable()
      t.string('claim_id').notNullable().unique()
      t.string('fingerprint').notNullable()
      t.string('state').notNullable()
      t.text('answer')
      t.bigInteger('claimed_at').notNullable().index()
      t.primary(['caller', 'key'])
    })
  },
  async down(schema) {
    await schema.schema.dropTable('idempotency_keys')
  },
}
