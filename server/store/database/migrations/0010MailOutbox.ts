import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Mails to be sent, written in the transaction they report on. `message_key` turns repeated requests into one mail; a
 * row whose `claimed_until` has passed is unclaimed.
 */
export const mailOutbox: NumberedMigration = {
  name: '0010_mail_outbox',
  async up(schema) {
    await schema.schema.createTable('mail_outbox', (t) => {
      t.increments('id')
      t.string('message_key').notNullable().unique()
      t.string('recipient').notNullable()
      t.string('template').notNullable()
      t.text('data').notNullable()
      t.string('status').notNullable()
      t.integer('attempts').notNullable().defaultTo(0)
      t.bigInteger('next_attempt_at').notNullable()
      t.bigInteger('claimed_until')
      t.bigInteger('expires_at')
      t.text('last_error')
      t.bigInteger('created_at').notNullable()
      t.bigInteger('settled_at')
    })
    await schema.raw(
      `CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at, id) WHERE status = 'queued'`,
    )
  },
  async down(schema) {
    await schema.schema.dropTable('mail_outbox')
  },
}
