import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Which part of the log has its payload in which archive file.
 *
 * Archives are of the log's beginning, one after another without a gap. `cleared_to` is the first record whose payload
 * may still be here, so that an archiving that was killed is finished by the next.
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
