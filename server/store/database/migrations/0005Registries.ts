import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The addresses of the reputation and validation registries.
 *
 * Null in a database of the first release; the next start deploys them.
 */
export const registries: NumberedMigration = {
  name: '0005_registries',
  async up(schema) {
    await schema.schema.alterTable('chain_deployments', (t) => {
      t.string('reputation_registry')
      t.string('validation_registry')
    })
  },
  async down(schema) {
    await schema.schema.alterTable('chain_deployments', (t) => {
      t.dropColumns('reputation_registry', 'validation_registry')
    })
  },
}
