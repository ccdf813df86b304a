import type { NumberedMigration } from '../numberedMigration.ts'

/** The agent owners that an endpoint admits. `endpoint_id` is the endpoint's internal id. */
export const allowlists: NumberedMigration = {
  name: '0012_allowlists',
  async up(schema) {
    await schema.schema.createTable('allowlist_entries', (t) => {
      t.increments('position')
      t.string('id').notNullable().unique()
      t.string('endpoint_id').notNullable().index()
      t.string('allowed_owner_identifier').notNullable()
      t.integer('min_trust_score')
      t.text('allowed_purposes')
      t.bigInteger('created_at').notNullable()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('allowlist_entries')
  },
}
