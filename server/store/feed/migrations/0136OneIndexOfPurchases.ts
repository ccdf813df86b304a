import { isPostgres } from '../../database/knexSettings.ts'
import type { NumberedMigration } from '../../database/numberedMigration.ts'

/**
 * On SQLite, the index of all events of a purchase also finds its first one, because a purchase has few. The index of first
 * events was the most expensive of the feed: its entries are in the order of random identifiers.
 *
 * PostgreSQL keeps it: being unique, it tells the planner how many rows to expect before there are statistics.
 */
export const oneIndexOfPurchases: NumberedMigration = {
  name: '0136_one_index_of_purchases',
  // Earlier releases name the index in statements, but only on SQLite, where they do not run beside this one.
  oldestBeside: { postgres: '0124_log_places' },
  async up(schema) {
    if (!isPostgres(schema)) await schema.raw('DROP INDEX party_events_opened')
  },
  async down(schema) {
    if (isPostgres(schema)) return
    await schema.raw(`CREATE UNIQUE INDEX party_events_opened ON party_events (party_id, purchase_id)
      WHERE is_first = 1 AND purchase_id IS NOT NULL`)
  },
}
