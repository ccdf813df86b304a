import type { NumberedMigration } from '../../database/numberedMigration.ts'

/**
 * What requests that proved nothing spent in an agent's name, which was part of the agent's own sums. Earlier sums, and
 * those that an older release adds beside this one, remain as they are: they fall out of the 30 days that are shown.
 */
export const unprovenSpend: NumberedMigration = {
  name: '0128_unproven_spend',
  oldestBeside: '0124_log_places',
  async up(schema) {
    const sqlite = schema.client.config.client === 'better-sqlite3'
    await schema.schema.alterTable('agent_spend', (t) => {
      t.specificType('unproven_amount', sqlite ? 'TEXT' : 'NUMERIC')
        .notNullable()
        .defaultTo('0')
      t.integer('unproven_purchases').notNullable().defaultTo(0)
    })
  },
  async down(schema) {
    await schema.schema.alterTable('agent_spend', (t) =>
      t.dropColumns('unproven_amount', 'unproven_purchases'),
    )
  },
}
