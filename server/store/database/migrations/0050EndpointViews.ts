import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Indexes of the endpoints that an owner can claim and of archived ones, without those in use: an owner may have
 * thousands of each.
 */
export const endpointViews: NumberedMigration = {
  name: '0050_endpoint_views',
  async up(schema) {
    await schema.raw(
      `CREATE INDEX endpoints_claimable ON endpoints (owner_id, position) WHERE tier = 'discovered' AND status = 'active'`,
    )
    await schema.raw(
      `CREATE INDEX endpoints_archived ON endpoints (owner_id, position) WHERE tier <> 'discovered' AND status = 'archived'`,
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX endpoints_archived')
    await schema.raw('DROP INDEX endpoints_claimable')
  },
}
