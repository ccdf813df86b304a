import type { NumberedMigration } from '../numberedMigration.ts'

/** Finds the claimed endpoints of a host: a host belongs to one owner. */
export const endpointHosts: NumberedMigration = {
  name: '0063_endpoint_hosts',
  async up(schema) {
    await schema.raw(
      `CREATE INDEX endpoints_claimed_host ON endpoints (host) WHERE tier <> 'discovered' AND status <> 'archived'`,
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX endpoints_claimed_host')
  },
}
