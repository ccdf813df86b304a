import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Which archive file contains the payload of which part of the log.
 *
 * Archives cover the beginning of the log without gaps. `cleared_to` is the first record whose payload may still be in
 * the database, so that the next run completes an interrupted archiving.
 */
export const auditArchives: NumberedMigration = {
  name: '0042_audit_archives',
  async up(schema) {
    await schema.schema.createTable('audit_archives', (t) => {
      t.bigInteger('first_seq').primary()
      t.bigInteger('last_seq').notNullable()
      t.string('file').notNullable()
      t.string('sha256').notNullable()
      t.bigInteger('archived_at').notNullable()
      t.bigInteger('cleared_to').notNullable()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('audit_archives')
  },
}
