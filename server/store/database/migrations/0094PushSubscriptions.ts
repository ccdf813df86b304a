import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Browsers that are notified of approvals, and the notifications to be sent.
 *
 * The address and the keys of a browser are sealed: whoever has them can send it messages. A browser belongs to one account
 * at a time. A message is deleted once it is sent, or together with its browser.
 */
export const pushSubscriptions: NumberedMigration = {
  name: '0094_push_subscriptions',
  async up(schema) {
    await schema.schema
      .createTable('push_subscriptions', (t) => {
        t.string('id').primary()
        t.string('user_id').notNullable()
        t.string('endpoint_hash').notNullable().unique()
        t.text('sealed').notNullable()
        t.string('browser')
        t.bigInteger('created_at').notNullable()
        t.index(['user_id', 'created_at'])
      })
      .createTable('push_messages', (t) => {
        t.increments('id')
        t.string('subscription_id').notNullable()
        t.string('message_key').notNullable()
        t.text('payload').notNullable()
        t.integer('attempts').notNullable()
        t.bigInteger('next_attempt_at').notNullable()
        t.bigInteger('claimed_until')
        t.bigInteger('expires_at').notNullable()
        t.unique(['subscription_id', 'message_key'])
        t.index(['next_attempt_at'])
      })
  },
  async down(schema) {
    await schema.schema.dropTable('push_messages').dropTable('push_subscriptions')
  },
}
