import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Exports of people's data: at most one per account, and its file in parts.
 *
 * The file is in the database, so that any process can prepare it and any other return it. A part without an export is
 * deleted by the next clean-up.
 */
export const dataExports: NumberedMigration = {
  name: '0113_data_exports',
  async up(schema) {
    await schema.schema.createTable('data_exports', (t) => {
      t.string('user_id').primary()
      t.string('id').notNullable().unique()
      t.string('status').notNullable()
      t.bigInteger('requested_at').notNullable()
      t.integer('attempts').notNullable().defaultTo(0)
      t.bigInteger('claimed_until').notNullable().defaultTo(0)
      t.bigInteger('size_bytes')
      t.bigInteger('ready_at')
      t.bigInteger('expires_at')
    })
    await schema.schema.createTable('data_export_parts', (t) => {
      t.string('export_id').notNullable()
      t.integer('number').notNullable()
      t.binary('bytes').notNullable()
      t.primary(['export_id', 'number'])
    })
  },
  async down(schema) {
    await schema.schema.dropTable('data_export_parts')
    await schema.schema.dropTable('data_exports')
  },
}
