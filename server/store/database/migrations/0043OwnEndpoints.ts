import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Finds the endpoints that an owner has registered, newest last, without a look at those that were discovered: every
 * agent of the owner adds to these, without bound.
 *
 * Archived ones are in it as well, so that a list with them finds its rows by it too; an owner archives one at a time.
 */
export const ownEndpoints: NumberedMigration = {
  name: '0043_own_endpoints',
  async up(schema) {
    await schema.raw(
      `CREATE INDEX endpoints_own ON endpoints (owner_id, position) WHERE tier <> 'discovered'`,
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX endpoints_own')
  },
}
