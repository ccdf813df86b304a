import type { NumberedMigration } from '../numberedMigration.ts'

/** What an endpoint's owner has to publish under its host, and how the checks of it went. */
export const domainProofs: NumberedMigration = {
  name: '0016_domain_proofs',
  async up(schema) {
    await schema.schema.createTable('domain_proofs', (t) => {
      t.string('endpoint_id').primary()
      t.string('token').notNullable()
      t.string('method')
      t.integer('failures').notNullable().defaultTo(0)
      t.bigInteger('proven_at')
      t.bigInteger('next_check_at').index()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('domain_proofs')
  },
}
