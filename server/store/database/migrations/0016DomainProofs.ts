import type { NumberedMigration } from '../numberedMigration.ts'

/** The token that an endpoint's owner must publish under its host, and the results of the checks. */
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
