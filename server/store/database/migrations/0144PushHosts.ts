import { type AddedIndex, createIndexes, dropIndexes } from '../createIndexes.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES: readonly AddedIndex[] = [
  {
    name: 'push_messages_due_of_browser',
    table: 'push_messages',
    on: '(subscription_id, next_attempt_at, id)',
  },
  { name: 'push_messages_claimed_until', table: 'push_messages', on: '(claimed_until)' },
]

/**
 * The push service of each browser, so that one that is slow delays only its own notifications; null for browsers that
 * subscribed before, until the next one is sent to them. The indexes find the next notification of each browser, and those
 * that are being sent.
 */
export const pushHosts: NumberedMigration = {
  name: '0144_push_hosts',
  oldestBeside: '0117_database_features',
  indexes: INDEXES,
  async up(schema) {
    await schema.raw('ALTER TABLE push_subscriptions ADD COLUMN host_hash TEXT')
    await createIndexes(schema, INDEXES)
  },
  async down(schema) {
    await dropIndexes(schema, INDEXES)
    await schema.raw('ALTER TABLE push_subscriptions DROP COLUMN host_hash')
  },
}
