import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Receipts of decisions, for endpoints that ask for them; `status_index` is the position of a grant in the status lists.
 *
 * A receipt is inserted while others wait for the commit, so the table has only the indexes that withdrawing needs.
 */
export const receipts: NumberedMigration = {
  name: '0073_receipts',
  async up(schema) {
    await schema.schema.alterTable('endpoints', (t) => {
      t.boolean('include_receipt').notNullable().defaultTo(false)
    })
    await schema.schema.createTable('receipts', (t) => {
      t.string('record_id').primary()
      t.string('agent_id').notNullable()
      t.bigInteger('status_index')
      t.string('key_thumbprint')
      t.text('receipt').notNullable()
      t.bigInteger('expires_at').notNullable()
      t.bigInteger('withdrawn_at')
    })
    await schema.raw(
      'CREATE INDEX receipts_granted ON receipts (agent_id, expires_at) WHERE status_index IS NOT NULL',
    )
    await schema.raw(
      'CREATE INDEX receipts_withdrawn ON receipts (status_index) WHERE withdrawn_at IS NOT NULL',
    )
    await schema.schema.createTable('status_indexes', (t) => {
      t.bigInteger('next').notNullable()
    })
    await schema('status_indexes').insert({ next: 0 })
  },
  async down(schema) {
    for (const table of ['status_indexes', 'receipts']) await schema.schema.dropTable(table)
    await schema.schema.alterTable('endpoints', (t) => t.dropColumns('include_receipt'))
  },
}
