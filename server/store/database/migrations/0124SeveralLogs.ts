import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The audit logs besides the first, whose id is in `installation`, and from which record on there were how many: the place
 * of a record in its log follows from these rows and the records before it.
 */
export const severalLogs: NumberedMigration = {
  name: '0124_several_logs',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema
      .createTable('audit_logs', (t) => {
        t.integer('number').primary()
        t.string('log_id').notNullable()
      })
      .createTable('audit_log_counts', (t) => {
        t.bigInteger('from_seq').primary()
        t.integer('logs').notNullable()
      })
  },
  async down(schema) {
    await schema.schema.dropTable('audit_log_counts').dropTable('audit_logs')
  },
}
