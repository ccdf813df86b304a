import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * What a request has to prove and to state, as endpoints and the owners of agents require; lists are JSON. An agent without
 * a requirement of its own (null) has the default.
 */
export const identityProofs: NumberedMigration = {
  name: '0066_identity_proofs',
  async up(schema) {
    await schema.schema.alterTable('endpoints', (t) => {
      t.string('min_identity_proof').notNullable().defaultTo('none')
      t.text('authorities').notNullable().defaultTo('[]')
    })
    await schema.schema.alterTable('agents', (t) => {
      t.string('min_identity_proof')
      t.text('required_facts').notNullable().defaultTo('[]')
    })
  },
  async down(schema) {
    await schema.schema.alterTable('endpoints', (t) => t.dropColumns('min_identity_proof', 'authorities'))
    await schema.schema.alterTable('agents', (t) => t.dropColumns('min_identity_proof', 'required_facts'))
  },
}
