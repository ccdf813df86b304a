import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The push service of each browser, so that one that is slow delays only its own notifications; null for browsers that
 * subscribed before, until the next one is sent to them. The indexes find the next notification of each browser, and those
 * that are being sent.
 */
export const pushHosts: NumberedMigration = {
  name: '0144_push_hosts',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw('ALTER TABLE push_subscriptions ADD COLUMN host_hash TEXT')
    await schema.raw(
      'CREATE INDEX push_messages_due_of_browser ON push_messages (subscription_id, next_attempt_at, id)',
    )
    await schema.raw('CREATE INDEX push_messages_claimed_until ON push_messages (claimed_until)')
  },
  async down(schema) {
    await schema.raw('DROP INDEX push_messages_claimed_until')
    await schema.raw('DROP INDEX push_messages_due_of_browser')
    await schema.raw('ALTER TABLE push_subscriptions DROP COLUMN host_hash')
  },
}
