import type { NumberedMigration } from '../numberedMigration.ts'

/** What a request has to state at an endpoint: a JSON list of names. */
export const requiredFacts: NumberedMigration = {
  name: '0064_required_facts',
  async up(schema) {
    await schema.schema.alterTable('endpoints', (t) => {
      t.text('required_facts').notNullable().defaultTo('[]')
    })
  },
  async down(schema) {
    await schema.schema.alterTable('endpoints', (t) => t.dropColumns('required_facts'))
  },
}
