import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Sessions that their counterparty ended before their time, and the requests that gateways answered with a grant they
 * already had; `record_id` is that of the grant, `value` exact decimal text.
 */
export const endedAndReused: NumberedMigration = {
  name: '0087_ended_and_reused',
  async up(schema) {
    await schema.schema.createTable('ended_sessions', (t) => {
      t.string('session_id').primary()
      t.text('reason')
      t.bigInteger('ended_at').notNullable()
    })
    await schema.schema.createTable('receipt_uses', (t) => {
      t.string('record_id').notNullable()
      t.string('use_id').notNullable()
      t.bigInteger('used_at').notNullable()
      t.text('value').notNullable()
      t.string('contradiction')
      t.primary(['record_id', 'use_id'])
    })
    await schema.schema.alterTable('receipts', (t) => {
      t.text('used_value').notNullable().defaultTo('0')
    })
  },
  async down(schema) {
    await schema.schema.alterTable('receipts', (t) => t.dropColumns('used_value'))
    for (const table of ['receipt_uses', 'ended_sessions']) await schema.schema.dropTable(table)
  },
}
