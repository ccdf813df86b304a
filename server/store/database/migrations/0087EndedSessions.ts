import type { NumberedMigration } from '../numberedMigration.ts'

/** Sessions that their counterparty ended before their time. */
export const endedSessions: NumberedMigration = {
  name: '0087_ended_sessions',
  async up(schema) {
    await schema.schema.createTable('ended_sessions', (t) => {
      t.string('session_id').primary()
      t.text('reason')
      t.bigInteger('ended_at').notNullable()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('ended_sessions')
  },
}
