import type { NumberedMigration } from '../numberedMigration.ts'

/** Finds by its URL what an owner discovered and archived without claiming it: it stays closed. */
export const closedDiscoveries: NumberedMigration = {
  name: '0170_closed_discoveries',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw(
      `CREATE INDEX endpoints_discovered_closed ON endpoints (owner_id, url) WHERE tier = 'discovered' AND status = 'archived'`,
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX endpoints_discovered_closed')
  },
}
