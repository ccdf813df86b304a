import type { NumberedMigration } from '../numberedMigration.ts'

/** Finds what an owner has discovered on a host first: all other requests to the host belong to it. */
export const discoveredHosts: NumberedMigration = {
  name: '0069_discovered_hosts',
  async up(schema) {
    await schema.raw(
      `CREATE INDEX endpoints_discovered_host ON endpoints (owner_id, host, position) WHERE tier = 'discovered' AND status = 'active'`,
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX endpoints_discovered_host')
  },
}
