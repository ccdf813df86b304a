import type { NumberedMigration } from '../numberedMigration.ts'

/** How far in the log the content of old events has been removed; the only row exists from the beginning. */
export const eventRetention: NumberedMigration = {
  name: '0114_event_retention',
  async up(schema) {
    await schema.schema.createTable('event_retention', (t) => {
      t.integer('id').primary()
      t.bigInteger('next_seq').notNullable()
    })
    await schema('event_retention').insert({ id: 1, next_seq: 0 })
  },
  async down(schema) {
    await schema.schema.dropTable('event_retention')
  },
}
