import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Know-your-developer cases and their pictures.
 *
 * Scores use `users.kyd_verified_at`, which marks a verified identity; a case documents how it was verified.
 * `position` is the order of arrival, by which lists are paged. Personal data is sealed, and is deleted once
 * `documents_deleted_at` is set. A person has at most one undecided case.
 */
export const kyd: NumberedMigration = {
  name: '0021_kyd',
  async up(schema) {
    await schema.schema
      .createTable('kyd_cases', (t) => {
        t.increments('position')
        t.string('id').notNullable().unique()
        t.string('user_id').notNullable().references('users.id')
        t.string('status').notNullable()
        t.text('mrz_sealed')
        t.text('reason')
        t.bigInteger('submitted_at').notNullable()
        t.bigInteger('decided_at')
        t.string('decided_by').references('users.id')
        t.bigInteger('documents_deleted_at')
        t.index(['user_id', 'position'], 'kyd_cases_user')
        t.index(['status', 'position'], 'kyd_cases_status')
      })
      .createTable('kyd_documents', (t) => {
        t.string('case_id').notNullable().references('kyd_cases.id')
        t.string('kind').notNullable()
        t.string('media_type').notNullable()
        t.integer('width').notNullable()
        t.integer('height').notNullable()
        t.binary('sealed').notNullable()
        t.primary(['case_id', 'kind'])
      })
    await schema.raw(`CREATE UNIQUE INDEX kyd_cases_pending ON kyd_cases (user_id) WHERE status = 'pending'`)
    await schema.raw(
      `CREATE INDEX kyd_cases_kept ON kyd_cases (decided_at) WHERE status <> 'pending' AND documents_deleted_at IS NULL`,
    )
  },
  async down(schema) {
    for (const table of ['kyd_documents', 'kyd_cases']) await schema.schema.dropTable(table)
  },
}
