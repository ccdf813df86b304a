import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * An index of the endpoints that an owner registered, newest last, without discovered ones, which every agent of the
 * owner adds without bound.
 *
 * It includes archived endpoints, so that a list with them can use it too; an owner archives them one at a time.
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
